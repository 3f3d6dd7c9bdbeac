//! Disjoint sets by union–find with path halving: a look-up makes every other node on its path a child of its
//! grandparent (Tarjan & van Leeuwen, *Worst-case Analysis of Set Union Algorithms*, Journal of the ACM
//! 31(2), 1984).
//!
//! Invariant: a parent is never larger than its child, so the root of a set is its smallest number, whatever
//! the order of joins. With halving, joining by smallest number instead of by rank or size costs O(log n)
//! amortized a call (there, "naive linking"). In return, components are named in one pass over the numbers.

/// Sets of the numbers that are places in `parent`, where each holds a smaller one of its set or itself.
pub(crate) struct UnionFind<'a> {
    pub(crate) parent: &'a mut [u32],
}

impl UnionFind<'_> {
    /// Returns the smallest number of the set that `member` belongs to; halves the path to it.
    #[inline]
    pub(crate) fn find(&mut self, mut member: u32) -> u32 {
        loop {
            let parent = self.parent[member as usize];
            if parent == member {
                return member;
            }
            let grandparent = self.parent[parent as usize];
            self.parent[member as usize] = grandparent;
            member = grandparent;
        }
    }

    #[inline]
    pub(crate) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        // The smaller root stays a root, which keeps the invariant.
        self.parent[a.max(b) as usize] = a.min(b);
    }

    /// Puts the name of its set in the place of each number, counted in the order of the sets' smallest
    /// numbers; returns the number of sets.
    pub(crate) fn name_sets(self) -> u32 {
        let mut count = 0;
        for member in 0..self.parent.len() {
            let parent = self.parent[member] as usize;
            // The parent comes before `member`, so its place holds the name of the set already.
            self.parent[member] = if parent == member { count } else { self.parent[parent] };
            count += u32::from(parent == member);
        }
        count
    }
}
