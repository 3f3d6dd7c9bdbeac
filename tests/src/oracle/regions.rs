use super::Ground;

/// For each cell, row by row, the number of the region that its stand lies in, `None` where there is no stand; and the
/// number of regions. Two stands share a region when legal steps lead from one to the other.
///
/// # Panics
/// Never: only stands are visited.
pub fn flood(ground: &Ground) -> (Vec<Option<u32>>, u32) {
    let mut regions = vec![None; ground.region().area() as usize];
    let mut count = 0;
    for seed in ground.stands() {
        let mut wet = vec![seed];
        if regions[ground.place(seed).expect("a stand")].is_some() {
            continue;
        }
        while let Some(cell) = wet.pop() {
            let region = &mut regions[ground.place(cell).expect("a stand")];
            if region.is_none() {
                *region = Some(count);
                wet.extend(ground.neighbours(cell).map(|(to, _)| to));
            }
        }
        count += 1;
    }
    (regions, count)
}
