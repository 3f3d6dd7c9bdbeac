//! Every figure that the issues ask for. A section says what it reached with `report.reach(&goals::NAME,
//! subject, value)`; a goal that is not met says why beside it, and the why goes away with the shortfall.

use crate::report::{Bound, Goal};

macro_rules! goals {
    ($($name:ident: issue $issue:literal, $bound:ident $limit:literal $unit:literal, $words:literal $(, why $why:literal)?;)*) => {
        $(pub static $name: Goal = Goal {
            issue: $issue,
            words: $words,
            bound: Bound::$bound($limit as f64),
            unit: $unit,
            why: concat!($($why)?),
        };)*
        /// All of them, in the order of the report.
        pub static ALL: &[&Goal] = &[$(&$name),*];
    };
}

goals! {
    PATHS_GRID_PATHFINDING: issue 2, AtLeast 4.5 "×",
        "paths, 1×1, extraction included, beside `grid_pathfinding` in its better mode (geometric mean over maps)";
    PATHS_PATHFINDING: issue 2, AtLeast 45 "×", "paths beside the A* of `pathfinding` (geometric mean over maps)";
    GODOT_PATHS: issue 2, AtLeast 80 "×",
        "`get_point_path` from GDScript beside `AStarGrid2D`, the better of plain and jumping (geometric mean over maps)";
    GODOT_NEVER_SLOWER: issue 2, AtLeast 1 "×", "the same on every map: never slower";
    GODOT_WEIGHTED: issue 2, AtLeast 8 "×", "weighted maps beside `AStarGrid2D` with the same weights (geometric mean)",
        why "Where costs vary there is nothing to jump over: both expand the same cells, but for runs over ground that costs the same.";
    GODOT_PREPARED: issue 35, AtLeast 12 "×", "the same for a profile that was prepared (geometric mean)";
    EXPANSION_WEIGHTED: issue 2, AtMost 60 "ns", "an expansion on weighted ground, 1×1";
    EXPANSION_FOOTPRINT: issue 2, AtMost 1.2 "×", "an expansion of 3×3 and 4×2 beside 1×1",
        why "A large body pays the worst weight under it, so costs vary more: half of the entries of its frontier have a key of their own, of a small body's a fifth.";
    LAYER_EROSION: issue 2, AtMost 60 "µs", "a layer for a new footprint on 1024²: erosion";
    LAYER_TWIN: issue 2, AtMost 300 "µs", "its transposed twin and stop bits, made when needed";
    CLEARANCE: issue 2, AtMost 0.4 "ms", "the clearance map of 1024², u8";
    CLEARANCE_GDSCRIPT: issue 2, AtLeast 100 "×", "the same from GDScript beside the source article's GDScript";
    DOOR: issue 2, AtMost 100 "µs",
        "a door toggled on 1024² with four layers and a clearance map live: repair in the next query, regions included";
    UNREACHABLE: issue 2, AtMost 5 "µs", "an unreachable goal, once labels are current";

    FIELD_PLAIN: issue 3, AtMost 6 "ns", "costs and directions, a reachable cell, game-like maps of 1024²",
        why "Where walls bend at every cell, most reached cells are jump points.";
    FIELD_ROUGH: issue 3, AtMost 14 "ns", "the same on 20 % noise and on weights",
        why "Little to jump over: half of all cells are taken from a bucket, and what lies along the front outgrows the first caches.";
    FIELD_HEAP: issue 3, AtLeast 6 "×", "fields beside a binary heap and a direction pass (game-like maps)";
    FIELD_256: issue 3, AtMost 0.4 "ms", "a field of 256², game-like maps";
    FIELD_REPAIR: issue 3, AtMost 100 "µs",
        "a wall of 8×8 up or down on 1024²: repair, median over random places, game-like maps and weights",
        why "In a maze without loops a wall changes what everything behind it costs.";
    FIELD_WORST_REPAIR: issue 3, AtMost 1.2 "×", "the worst repair beside building again",
        why "A repair notices that a build is cheaper when a fifth of one is done.";
    FIELD_SAMPLES: issue 3, AtMost 0.8 "ms", "100,000 samples, blended, one thread",
        why "Where walls are near, a sample makes sure that it does not point into one.";
    CROWD_10K: issue 16, AtMost 1.5 "ms", "a step of 10,000 agents, two cores, separation and walls included",
        why "The goal is what avoidance alone took in a study; wishes, right of way, walls and settling come on top.";
    CROWD_100K: issue 16, AtMost 14 "ms", "a step of 100,000 agents",
        why "The goal is what avoidance alone took in a study; wishes, right of way, walls and settling come on top.";
    CROWD_MELEE: issue 16, AtMost 1.8 "ms", "a step of 10,000 agents in a dense melee",
        why "All have six neighbours that they meet: the solver takes most of the time.";
    CROWD_AVOIDANCE: issue 16, AtLeast 5 "×", "10,000 agents in a dense melee beside Godot's own avoidance",
        why "All have six neighbours that they meet: the solver takes most of the time.";
    CROWD_NODES: issue 16, AtMost 1.5 "ms", "1,000 nodes that are agents: a physics frame beyond their scripts' loop",
        why "What is left is mostly borrows of gdext and calls of the engine, two or three for each node.";
    CROWD_JOINING: issue 30, AtMost 15 "ms", "1,000 nodes that join and ask for a path in one frame: their first `get_next_velocity`";
    CROWD_GROWTH: issue 3, AtMost 1.5 "×", "cost of an agent, 100,000 beside 1,000 at equal density";
    CROWD_OVERLAP: issue 16, AtMost 0.1 "",
        "overlap of moving agents, p99.9, in parts of the smaller radius (worst scene of five seeds)";
    CROWD_EXIT_SMALL: issue 16, AtLeast 9 "/s", "small agents through an exit three cells wide";
    CROWD_EXIT_MIXED: issue 16, AtLeast 2.8 "/s", "mixed agents through an exit three cells wide",
        why "While a body of three cells is in the exit, none passes beside it; with one in eight so large, about 3.2 would be all that fits through.";
    CROWD_PASSED: issue 16, AtLeast 99 "%", "two crowds meeting in a corridor 12 wide: passed after 60 s";
    CROWD_TAIL: issue 33, AtMost 1.5 "×", "seven scenes in which groups meet: when the last is told, beside nine of ten";
    JUDGED_ARRIVED: issue 57, AtMost 0 "agents", "that report *arrived* beyond 1.3 of the rim and four cells";
    JUDGED_BLOCKED: issue 57, AtMost 0 "agents",
        "that report *blocked* although a free placement nearer to the goal can be reached";
    JUDGED_MOVED_ON: issue 57, AtMost 1 "%", "rest farther than 1.5 cells from where they first reported *arrived*";
    JUDGED_EMPTY: issue 57, AtMost 15 "%", "cells of the inner room that no body covers, groups of 1,480 (open ground: 10 %)";
    JUDGED_LEFT: issue 57, AtMost 0 "agents", "that never report what becomes of them, never leave by a gate, or leave their own place empty";
    JUDGED_LATE: issue 57, AtMost 1 "×", "when the last is told, beside twice the straight path and what the gates let through";
    JUDGED_DETOUR: issue 57, AtMost 1.15 "×", "the time of single bodies past settled groups, beside the straight way";
    JUDGED_MOVING: issue 57, AtMost 0.12 "", "overlap of walking bodies, p99.9";
    JUDGED_RESTING: issue 57, AtMost 0.01 "", "the deepest overlap at rest";
    JUDGED_TURNS: issue 57, AtMost 0 "agents", "that turn about more than three times in a second";
    CROWD_SETTLED: issue 16, AtMost 0.005 "", "overlap of settled agents";
    CROWD_STANDING: issue 3, AtMost 0.01 "cells/s", "speed of settled agents: they stand still";
    CROWD_NARROW: issue 3, AtMost 0 "%", "opposing traffic in corridors one cell wide: left stuck";
    CROWD_TOLD: issue 16, AtMost 0 "s",
        "groups at one cell: when the last is told, beyond 5 s (10 s in caves) after 99 % are close (worst of five seeds)";
    CROWD_FELL: issue 16, AtMost 1 "%", "by how many the number of arrived agents goes down";
    CROWD_RESTLESS: issue 16, AtMost 0 "agents", "agents that move 10 s after the last was told",
        why "Where walls leave no room to part, bodies that rest on others leave one after the other, for minutes.";
    CROWD_TANKS: issue 16, AtMost 1.5 "×", "six tanks through the gate of two cells, beside what it lets through";
    CROWD_ALL_ARRIVE: issue 16, AtMost 0 "agents",
        "agents and nodes that never arrive: through gates, crossing, in corridors of 1, 2, 3 and 12 cells";
    CROWD_GDSCRIPT: issue 3, AtLeast 10 "×",
        "agents stepped in the time of the usual scene in GDScript (a shared field, no separation)",
        why "The script's agents read a cell and walk through each other and through corners, which is a twentieth of the work.";

    HAA_MEAN: issue 4, AtMost 1.02 "", "HAA* paths, smoothed, Moving AI maps, sides 1 to 3: mean cost beside the least";
    HAA_MAX: issue 4, AtMost 1.1 "", "the dearest of them";
    HAA_WHOLE: issue 4, AtLeast 5 "×",
        "the whole refined path beside the flat engine, ways longer than 2,000 cells with weights";
    HAA_MEMORY: issue 4, AtMost 4 "bytes", "memory of the graph, a cell of the map";
    HAA_REPAIR: issue 4, AtMost 300 "µs", "repair of the graph after one edit";
    REQUESTS_FRAME: issue 4, AtMost 0.5 "ms",
        "1,000 `request_path` calls in one frame on 1024²: main thread in any frame because of them",
        why "With all arguments it is half as long: Godot makes those that are left out anew for each call.";
    REACHABLE: issue 4, AtMost 1 "µs", "`is_reachable` when labels are current";
    RELABEL: issue 4, AtMost 100 "µs", "relabelling after an edit on 1024²";

    JUMP_QUERY: issue 5, AtMost 1 "ms", "a path that jumps on 512×256, jump heights up to 6, median",
        why "In caves nearly every ground cell has flights, to seven others on average.";
    JUMP_SIZE: issue 5, AtMost 1.2 "×", "an expansion of a 4×3 body beside 1×1";
    JUMP_GDSCRIPT: issue 5, AtLeast 10 "×", "the same algorithm in GDScript, one process";

    FLIGHT_QUERY: issue 58, AtMost 50 "µs", "a path by physics on a level of a game's size, again, median",
        why "On storeys, 500 ground cells are expanded. On levels of six public games the median is 5 to 32 µs.";

    BAKE_BOX: issue 6, AtMost 150 "ms", "256² tiles with furniture of any shape, corners as boxes";
    BAKE_ROUND: issue 6, AtMost 300 "ms", "the same with round corners";
    BAKE_64: issue 6, AtMost 8 "ms", "64² tiles";
    BAKE_SERVER: issue 6, AtLeast 20 "×",
        "64² beside `NavigationServer2D.bake_from_source_geometry_data` on the same geometry";
    BAKE_GDSCRIPT: issue 6, AtLeast 20 "×", "64² beside the source's way in GDScript with `Geometry2D`";
    BAKE_CELLS: issue 6, AtMost 15 "ms", "a pure grid of 512²";
    BAKE_CHUNK: issue 6, AtMost 1 "ms", "one painted chunk baked again (what the server's sync adds is in its table)";
    IMPORT: issue 6, AtMost 100 "ms", "a layer of 512² tiles imported";
    IMPORT_TILE: issue 6, AtMost 0.2 "ms", "one named tile imported";
    IMPORT_COMPARE: issue 6, AtMost 20 "ms", "512² tiles compared after a change";

    SPACE_POSITIONS: issue 36, AtMost 0.3 "ms", "10,000 positions in 3D space and back, one call from GDScript";
    SPACE_SCAN: issue 36, AtMost 600 "ms", "512² heights by rays, all frames together";
    SPACE_PART: issue 36, AtMost 1 "ms", "the same for 8×8 cells that changed";
    SPACE_MULTIMESH: issue 36, AtMost 0.5 "ms", "a 3D MultiMesh of 10,000 agents, written";
    SPACE_STEP: issue 36, AtMost 1.05 "×", "a step of 10,000 agents in 3D space beside the same on the plane";
    SPACE_NODES: issue 36, AtMost 1.1 "×", "a frame of 1,000 3D nodes beside 2D nodes";
    SPACE_FRAME: issue 36, AtMost 4 "ms", "the longest frame of it";

    CALL_READ: issue 13, AtMost 0.25 "µs", "one call from GDScript that reads: a cell, a field, an influence, an agent";
    CALL_SET: issue 13, AtMost 0.4 "µs", "one call from GDScript that sets a cell, outside an edit";
    SMALL_MEAN: issue 2, AtLeast 1.5 "×",
        "16² to 64² from GDScript beside `AStarGrid2D`, cells, positions and six cells toggled: geometric mean";
    SMALL_OVERLAY: issue 2, AtMost 1.5 "×", "six obstacles ignored, or six cells blocked for one query, beside none of them";

    LIBRARY: issue 7, AtMost 6 "MiB", "the library, stripped (Linux x86_64)";
}

/// The figures that users choose by, in words that stand alone: the page has a row for each.
pub static ASKED_FIRST: &[(&Goal, &str)] = &[
    (&GODOT_PATHS, "`get_point_path` from GDScript, times as fast as `AStarGrid2D`, mean over maps (warm)"),
    (&GODOT_NEVER_SLOWER, "the same, on the map with the least advantage (warm)"),
    (&GODOT_WEIGHTED, "`get_point_path` over weights, times as fast as `AStarGrid2D`, mean over maps (warm)"),
    (&GODOT_PREPARED, "the same, after `prepare_profile` (warm)"),
    (&SMALL_MEAN, "paths on maps of 16² to 64² cells, times as fast as `AStarGrid2D`, mean over maps (warm)"),
    (&PATHS_GRID_PATHFINDING, "paths in Rust, times as fast as `grid_pathfinding`, mean over maps (warm)"),
    (&PATHS_PATHFINDING, "paths in Rust, times as fast as A* of `pathfinding`, mean over maps (warm)"),
    (&BAKE_SERVER, "navigation polygons of 64² tiles, times as fast as `NavigationServer2D` (cold)"),
    (&CROWD_10K, "a step of a crowd of 10,000 bodies of three sizes, two cores (warm)"),
    (&CROWD_100K, "a step of a crowd of 100,000 bodies of three sizes, two cores (warm)"),
    (&FIELD_256, "a flow field of 256² cells (cold)"),
    (&FIELD_REPAIR, "the repair of a flow field of 1024² cells after a wall of 8×8 cells"),
    (&DOOR, "the next query after a door has changed, 1024² cells, four kinds of bodies"),
    (&REQUESTS_FRAME, "main-thread time of 1,000 `request_path` calls in a frame"),
    (&LIBRARY, "the library, stripped, Linux x86_64"),
];
