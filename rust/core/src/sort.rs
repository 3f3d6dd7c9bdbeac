//! Sorting by a number: one sort for all lists that are sorted now and then, as each kind of sort is 5 to 8 KB of the library.

/// A bit pattern as a number that is ordered as [`f64::total_cmp`] orders.
pub const fn rank_of(value: f64) -> u64 {
    let bits = value.to_bits();
    // Negative numbers descend with their bits, and come before the others.
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// A number that is ordered as `value` is among all of its kind.
pub fn rising(value: i32) -> u128 {
    value.abs_diff(i32::MIN).into()
}

/// Sorts `list` by ascending `key`; items with one key stay in their order. Takes O(n log n) and the memory of a copy.
pub fn sort_by_number<T: Copy>(list: &mut [T], key: impl Fn(&T) -> u128) {
    // Most lists of some callers are as short as this, and need no memory.
    if list.len() < 2 {
        return;
    }
    let mut order: Vec<(u128, u32)> =
        list.iter().enumerate().map(|(place, item)| (key(item), place as u32)).collect();
    order.sort_unstable();
    let sorted: Vec<T> = order.iter().map(|&(_, place)| list[place as usize]).collect();
    list.copy_from_slice(&sorted);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_with_one_key_stay_in_their_order() {
        let mut list = [(3, 'a'), (1, 'b'), (3, 'c'), (0, 'd'), (1, 'e')];
        sort_by_number(&mut list, |&(key, _)| key);
        assert_eq!(list, [(0, 'd'), (1, 'b'), (1, 'e'), (3, 'a'), (3, 'c')]);
    }

    #[test]
    fn ranks_are_ordered_as_numbers_are() {
        let values = [f64::NEG_INFINITY, -2.5, -1e-300, -0.0, 0.0, 1e-300, 0.7, 3.0, f64::INFINITY, f64::NAN];
        assert!(values.windows(2).all(|pair| rank_of(pair[0]) < rank_of(pair[1])));
    }
}
