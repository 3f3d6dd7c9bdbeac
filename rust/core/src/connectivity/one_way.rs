//! Components that steps lead between one way alone: which of them reach each other, and which a component
//! reaches.

use std::collections::BTreeSet;

use crate::union_find::UnionFind;

/// From one component to another, by their numbers.
pub(super) type Arc = (u32, u32);

/// Arcs between components, sorted by where they begin.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Arcs(Vec<Arc>);

impl Arcs {
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Joins those of `count` components that `arcs` lead round in a circle, so that each reaches the others.
    /// Returns the number of each component's joint one, how many those are, and the arcs between them.
    pub(super) fn joined(count: u32, mut arcs: Vec<Arc>) -> (Vec<u32>, u32, Self) {
        arcs.sort_unstable();
        arcs.dedup();
        // Few components have arcs, so these are counted apart.
        let mut ends: Vec<u32> = arcs.iter().flat_map(|&(from, to)| [from, to]).collect();
        ends.sort_unstable();
        ends.dedup();
        let place = |end: u32| ends.partition_point(|&other| other < end) as u32;
        let placed: Vec<Arc> = arcs.iter().map(|&(from, to)| (place(from), place(to))).collect();
        // Named as sets, in the order of their smallest members.
        let mut numbers: Vec<u32> = (0..count).collect();
        let mut sets = UnionFind { parent: &mut numbers };
        for (&end, circle) in ends.iter().zip(circles(ends.len() as u32, &placed)) {
            sets.join(end, ends[circle as usize]);
        }
        let joint = sets.name_sets();
        let joined = |&(from, to): &Arc| (numbers[from as usize], numbers[to as usize]);
        let mut between: Vec<Arc> = arcs.iter().map(joined).filter(|(from, to)| from != to).collect();
        between.sort_unstable();
        between.dedup();
        (numbers, joint, Self(between))
    }

    /// Returns the components that one reaches, itself included, in ascending order.
    pub(super) fn reached_from(&self, component: u32) -> Vec<u32> {
        let mut reached = BTreeSet::from([component]);
        let mut open = vec![component];
        while let Some(from) = open.pop() {
            open.extend(beyond(&self.0, from).filter(|&to| reached.insert(to)));
        }
        reached.into_iter().collect()
    }

    /// Returns the bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        self.0.capacity() * size_of::<Arc>()
    }
}

/// Returns where the arcs from a component lead; `arcs` are sorted.
fn beyond(arcs: &[Arc], from: u32) -> impl Iterator<Item = u32> {
    let first = arcs.partition_point(|&(other, _)| other < from);
    arcs[first..].iter().take_while(move |&&(other, _)| other == from).map(|&(_, to)| to)
}

/// Returns for each component the name of its circle: the number of a component in it. These are strongly
/// connected components (Tarjan, *Depth-First Search and Linear Graph Algorithms*, 1972).
fn circles(count: u32, arcs: &[Arc]) -> Vec<u32> {
    const UNSEEN: u32 = u32::MAX;
    let mut circle: Vec<u32> = (0..count).collect();
    // When each was first seen, and the earliest on the path that it leads back to.
    let (mut seen, mut earliest) = (vec![UNSEEN; count as usize], vec![UNSEEN; count as usize]);
    let mut is_open = vec![false; count as usize];
    let (mut open, mut time) = (Vec::new(), 0);
    for root in arcs.iter().map(|&(from, _)| from) {
        if seen[root as usize] != UNSEEN {
            continue;
        }
        // Components whose arcs are being followed, with the arcs that are left.
        let mut path = vec![(root, beyond(arcs, root))];
        (seen[root as usize], earliest[root as usize]) = (time, time);
        open.push(root);
        is_open[root as usize] = true;
        time += 1;
        while let Some((at, arcs_left)) = path.last_mut() {
            let at = *at;
            if let Some(to) = arcs_left.next() {
                let place = to as usize;
                if seen[place] == UNSEEN {
                    (seen[place], earliest[place]) = (time, time);
                    open.push(to);
                    is_open[place] = true;
                    time += 1;
                    path.push((to, beyond(arcs, to)));
                } else if is_open[place] {
                    earliest[at as usize] = earliest[at as usize].min(seen[place]);
                }
                continue;
            }
            path.pop();
            if let Some(&(before, _)) = path.last() {
                earliest[before as usize] = earliest[before as usize].min(earliest[at as usize]);
            }
            if earliest[at as usize] == seen[at as usize] {
                // All that were opened since lie on a circle with it.
                while let Some(member) = open.pop() {
                    is_open[member as usize] = false;
                    circle[member as usize] = at;
                    if member == at {
                        break;
                    }
                }
            }
        }
    }
    circle
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reachability by repeated steps.
    fn reaches(count: u32, arcs: &[Arc]) -> Vec<Vec<bool>> {
        let mut reached: Vec<Vec<bool>> = (0..count).map(|a| (0..count).map(|b| a == b).collect()).collect();
        for _ in 0..count {
            for row in &mut reached {
                for &(from, to) in arcs {
                    row[to as usize] |= row[from as usize];
                }
            }
        }
        reached
    }

    #[test]
    fn circles_and_what_is_reached_follow_the_definition() {
        let mut random = 7_u32;
        for count in 1..12 {
            for _ in 0..200 {
                let mut next = || {
                    random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (random >> 16) % count
                };
                let arcs: Vec<Arc> = (0..count).map(|_| (next(), next())).collect();
                let reached = reaches(count, &arcs);
                let (numbers, joint, between) = Arcs::joined(count, arcs);
                assert_eq!(numbers.iter().max().map(|max| max + 1), Some(joint));
                for a in 0..count as usize {
                    let beyond = between.reached_from(numbers[a]);
                    for b in 0..count as usize {
                        assert_eq!(numbers[a] == numbers[b], reached[a][b] && reached[b][a]);
                        assert_eq!(beyond.binary_search(&numbers[b]).is_ok(), reached[a][b]);
                    }
                }
            }
        }
    }
}
