//! A bake, on any thread.

use pathforge_core::parallel;
use pathforge_navmesh::{
    BakeSettings, Corner, NavMesh, NavMeshError, PixelRect, TileGrid, TileIndex, bake, bake_cells, bake_tile,
};

use super::collection::Collection;

/// More chunks than this are not made.
const CHUNKS_MAX: f64 = 65_536.0;

/// What to bake.
#[derive(Clone)]
pub struct Job {
    pub collection: Collection,
    pub settings: BakeSettings,
    /// `true` if the whole map is baked in one piece.
    pub whole: bool,
    /// The chunks to bake, and how they lie.
    pub chunks: Option<(TileGrid, Vec<TileIndex>)>,
}

/// What was baked.
#[derive(Default)]
pub struct Outcome {
    pub whole: Option<NavMesh>,
    pub chunks: Vec<(TileIndex, NavMesh)>,
}

impl Job {
    /// Bakes.
    pub fn run(&self) -> Result<Outcome, NavMeshError> {
        let whole = || if self.whole { self.bake_whole().map(Some) } else { Ok(None) };
        let (mut whole_mesh, mut chunks) = (Ok(None), Ok(Vec::new()));
        let both: Vec<Box<dyn FnOnce() + Send>> =
            vec![Box::new(|| whole_mesh = whole()), Box::new(|| chunks = self.bake_chunks())];
        parallel::for_each(both, |bake| bake());
        Ok(Outcome { whole: whole_mesh?, chunks: chunks? })
    }

    // Not copied into each of the places from which it may be called.
    #[inline(never)]
    fn bake_whole(&self) -> Result<NavMesh, NavMeshError> {
        if let Some(cells) = &self.collection.cells
            && cells.is_straight()
            && self.settings.corner() == Corner::Box
            && self.settings.tolerance_px() == 0.0
        {
            let (size, origin) = (cells.to_baker.a.x, cells.to_baker.origin);
            let cell = [f64::from(size), f64::from(cells.to_baker.b.y)];
            let corner = [
                f64::from(origin.x) + f64::from(cells.region.x) * cell[0],
                f64::from(origin.y) + f64::from(cells.region.y) * cell[1],
            ];
            return bake_cells(&cells.open, corner, cell, &self.settings);
        }
        let sets = self.collection.sets(None)?;
        Ok(bake(&sets.floor, &sets.colliders, &self.settings))
    }

    #[inline(never)]
    fn bake_chunks(&self) -> Result<Vec<(TileIndex, NavMesh)>, NavMeshError> {
        let Some((grid, chunks)) = &self.chunks else { return Ok(Vec::new()) };
        let bake_one = |&chunk: &TileIndex| {
            let [x, y] = self.settings.reach_px();
            let sets = self.collection.sets(Some(grid.rect(chunk).grown(x, y)))?;
            let mesh = bake_tile(&sets.floor, &sets.colliders, &self.settings, grid, chunk)?;
            Ok((chunk, mesh))
        };
        parallel::map(chunks.iter().collect(), bake_one).into_iter().collect()
    }
}

/// The chunks that a map has; an error when there would be too many.
pub fn chunks_of(grid: &TileGrid, map: Option<PixelRect>) -> Result<Vec<TileIndex>, String> {
    let Some(map) = map else { return Ok(Vec::new()) };
    let one = grid.rect([0, 0]);
    let count = (map.w / one.w + 2.0) * (map.h / one.h + 2.0);
    if count > CHUNKS_MAX {
        return Err(format!(
            "the map has about {count:.0} chunks, more than {CHUNKS_MAX}: raise chunk_tiles"
        ));
    }
    Ok(grid.touching(map).collect())
}
