//! Failures that were found once, each with the smallest map that shows it.

use pathforge_core::geometry::Cell;
use pathforge_core::terrain::Terrain;

/// ```text
/// 0 -0      two weights, the second a negative zero
/// ```
///
/// Both zeros are the same weight, so they must be the same state and the same bytes.
#[test]
fn a_negative_zero_is_a_zero() {
    let mut terrain = Terrain::from_text("..", Cell::default()).expect("a map");
    terrain.set_weight_data(&[0.0, -0.0]).expect("valid weights");
    let back = Terrain::from_bytes(&terrain.to_bytes()).expect("its own bytes");
    assert_eq!(back.state_hash(), terrain.state_hash());
}
