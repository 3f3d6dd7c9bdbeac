//! Laws that hold on every map, for every body.

mod engines;
