//! Sets of numbers that are joined; the smallest number of a set stands for it, so names never depend on the order of
//! joins.

pub(super) struct UnionFind {
    parent: Vec<u32>,
}

impl UnionFind {
    pub(super) fn new(count: u32) -> Self {
        Self { parent: (0..count).collect() }
    }

    /// The smallest number of the set that `member` belongs to, halving the way there.
    pub(super) fn find(&mut self, mut member: u32) -> u32 {
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

    pub(super) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    /// Writes for each number the name of its set, counted in the order of the sets' smallest numbers; returns the number
    /// of sets.
    pub(super) fn name_sets<T: Copy>(&mut self, names: &mut Vec<T>, name: impl Fn(u32) -> T) -> u32 {
        names.clear();
        let mut count = 0;
        for member in 0..self.parent.len() as u32 {
            let root = self.find(member);
            if root == member {
                names.push(name(count));
                count += 1;
            } else {
                names.push(names[root as usize]);
            }
        }
        count
    }
}
