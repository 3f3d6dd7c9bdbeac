use pathforge_core::geometry::Cell;

use super::Ground;

/// For each cell, row by row, the number of the component that its placement lies in, `None` where there is
/// no placement; and the number of components. Two placements share a component when legal steps lead from
/// one to the other, and back (Sharir, *A Strong-Connectivity Algorithm*, 1981).
///
/// # Panics
/// Never: only placements are visited.
pub fn label_components(ground: &Ground) -> (Vec<Option<u32>>, u32) {
    let place = |cell: Cell| ground.place(cell).expect("a placement");
    let cells: Vec<Cell> = ground.placements().collect();
    let mut back: Vec<Vec<Cell>> = vec![Vec::new(); ground.region().area() as usize];
    for &cell in &cells {
        ground.neighbours(cell).for_each(|(to, _)| back[place(to)].push(cell));
    }
    // In the order in which all that is reached from a cell is done.
    let mut is_seen = vec![false; back.len()];
    let mut done = Vec::new();
    for &seed in &cells {
        let mut open = vec![(seed, false)];
        while let Some((cell, is_done)) = open.pop() {
            if is_done {
                done.push(cell);
            } else if !std::mem::replace(&mut is_seen[place(cell)], true) {
                open.push((cell, true));
                open.extend(ground.neighbours(cell).map(|(to, _)| (to, false)));
            }
        }
    }
    let mut components = vec![None; back.len()];
    let mut count = 0;
    for seed in done.into_iter().rev() {
        let mut open = vec![seed];
        let is_new = components[place(seed)].is_none();
        while let Some(cell) = open.pop() {
            let component = &mut components[place(cell)];
            if component.is_none() {
                *component = Some(count);
                open.extend(&back[place(cell)]);
            }
        }
        count += u32::from(is_new);
    }
    (components, count)
}
