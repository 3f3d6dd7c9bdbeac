use super::Ground;

/// For each cell, row by row, the number of the component that its placement lies in, `None` where there is
/// no placement; and the number of components. Two placements share a component when legal steps lead from
/// one to the other.
///
/// # Panics
/// Never: only placements are visited.
pub fn label_components(ground: &Ground) -> (Vec<Option<u32>>, u32) {
    let mut components = vec![None; ground.region().area() as usize];
    let mut count = 0;
    for seed in ground.placements() {
        let mut open = vec![seed];
        if components[ground.place(seed).expect("a placement")].is_some() {
            continue;
        }
        while let Some(cell) = open.pop() {
            let component = &mut components[ground.place(cell).expect("a placement")];
            if component.is_none() {
                *component = Some(count);
                open.extend(ground.neighbours(cell).map(|(to, _)| to));
            }
        }
        count += 1;
    }
    (components, count)
}
