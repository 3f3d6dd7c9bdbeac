//! Jump paths: the source's cases, the law of the oracle, repairs, bad input, and bodies that follow them.

mod bad_input;
mod body;
mod cases;
mod flights;
mod floors;
mod follower;
mod ladders;
mod laws;
mod levels;
mod oracle;
mod physics_body;
mod repairs;
