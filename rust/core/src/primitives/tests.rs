use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::*;

/// Numbers that are the same in every run.
struct Random(u32);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) % limit
    }
}

#[test]
fn a_queue_gives_the_least_key_and_of_equal_ones_the_last_pushed() {
    let mut queue = BucketQueue::default();
    for (seed, span, window) in
        [(1, 10, 64), (2, 5000, WINDOW), (3, 100_000, WINDOW), (4, 0, WINDOW), (5, 131_070, 64)]
    {
        // The first key need not be known.
        queue.clear(0, window);
        let (mut random, mut last) = (Random(seed), 7);
        let mut waiting = BTreeSet::new();
        for node in 0..20_000 {
            if random.below(4) != 0 && node < 15_000 {
                // In steps, so that many keys are equal.
                let step = span / 50 + 1;
                let key = last + random.below(span + 1) / step * step;
                queue.push(key, node);
                waiting.insert((key, Reverse(node)));
            } else {
                let least = waiting.pop_first().map(|(key, Reverse(node))| (key, node));
                assert_eq!(queue.pop(), least);
                last = least.map_or(last, |(key, _)| key);
            }
        }
        // What a search leaves behind does not come back.
        queue.push(last, 1);
        queue.push(last + 1_000_000, 2);
        queue.clear(7, window);
        assert_eq!(queue.pop(), None);
    }
}

#[test]
fn a_coarse_queue_gives_keys_as_a_heap_does_but_for_the_width_of_a_bucket() {
    let mut queue = Frontier::default();
    for (seed, span) in [(1, 10), (2, 5000), (3, 300_000)] {
        queue.clear_coarse(7, span);
        let width = (span / 1024 + 1).next_power_of_two();
        let (mut random, mut last) = (Random(seed), 7);
        let mut waiting = BTreeSet::new();
        for node in 0..30_000 {
            if random.below(4) != 0 && node < 20_000 {
                // Some lie far beyond the span.
                let reach = if random.below(16) == 0 { 9 * span + 20_000 } else { span };
                let key = last + random.below(reach + 1);
                queue.push(key, Label { g: key, node });
                waiting.insert((key, node));
            } else if let Some((floor, Label { g: key, node })) = queue.pop() {
                let least = waiting.first().map_or(0, |&(key, _)| key);
                assert!(floor <= least && least <= key && key < floor + width);
                assert!(waiting.remove(&(key, node)));
                last = key.max(last);
            } else {
                assert!(waiting.is_empty());
            }
        }
    }
}

#[test]
fn a_node_table_finds_what_was_entered() {
    let mut table = NodeTable::default();
    for round in 0..3 {
        table.clear();
        let points: Vec<GridPoint> =
            (0..1000).map(|n| GridPoint::new(1 + n * 7 % 5000, 1 + round + n % 40 * 100)).collect();
        for (n, &point) in points.iter().enumerate() {
            let Err(slot) = table.find(point) else { panic!("{point:?} is new") };
            let node = SearchNode { point, arrival: 0, g: n as u32, parent: NO_NODE };
            assert_eq!(table.insert(slot, node), n as u32);
        }
        for (n, &point) in points.iter().enumerate() {
            assert_eq!(table.find(point), Ok(n as u32));
            assert_eq!(table.node(n as u32).g, n as u32);
        }
    }
}

#[test]
fn a_pool_lends_what_was_given_back() {
    let pool = ScratchPool::<Vec<u32>>::default();
    pool.lend(|first| {
        first.push(1);
        pool.lend(|second| assert!(second.is_empty()));
    });
    pool.lend(|again| assert_eq!(again, &[1]));
}
