//! The shared part of both classes of agents: properties, signals and methods, and direct answers to the
//! methods that games call for each unit and frame. A class adds members whose help names another unit, base
//! or class.

/// The first `#[godot_api]` block of a class of agents whose positions are of a type; the signal of its own
/// and properties come after it, as `class_api` has them.
macro_rules! agent_api {
    (impl $Class:ident: $INode:ident($What:ident), $is_move:ident, $Vector:ident $(, $draw:ident)?;
        { $($signal:tt)* } $($rest:tt)*
    ) => {
        #[godot_api]
        impl $INode for $Class {
            fn on_notification(&mut self, what: $What) {
                if $is_move(what) {
                    self.agent.link.forget_found();
                }
                match what {
                    $What::ENTER_TREE => {
                        let is_done = self.agent.enter_tree();
                        let work = |this: Gd<Self>, delta| Agent::process(Self::named(this), delta);
                        let node = self.to_gd();
                        self.agent.frames.enter_unless(&node, Frame::Process, is_done, work);
                    }
                    $What::EXIT_TREE => self.agent.exit_tree(),
                    // Orders of the same frame leave it out.
                    $What::PREDELETE => self.agent.leave_crowd(),
                    $What::CHILD_ORDER_CHANGED => self.agent.change_children(),
                    $($What::DRAW => self.$draw(),)?
                    _ => {}
                }
            }

            fn get_configuration_warnings(&self) -> PackedStringArray {
                self.agent.configuration_warnings()
            }
        }

        class_api! {
            impl $Class;

            {
                /// Emitted when a new path has come.
                #[signal]
                fn path_changed();

                /// Emitted when the body has come to a position of its route, with a dictionary of its
                /// `position` and its `index`.
                #[signal]
                fn waypoint_reached(details: VarDictionary);

                /// Emitted when the body has come to where a link of the grid begins that its path takes, and
                /// may enter it. A link with a capacity is entered when it has room; until then the body waits.
                /// `details` has
                ///
                /// - `position` and `link_entry_position`: where the link begins,
                /// - `link_exit_position`: where it ends,
                /// - `link_id`, `tag`, and `owner`: the node, such as a [PathForgeLink2D], or `null`.
                ///
                /// The body then walks straight to the exit, through walls, at its own speed or in the time of
                /// the link: [method get_next_velocity] leads there. With a time of 0 the agent moves the body
                /// there at once. A script may move the body itself meanwhile, as in an animation; the walk
                /// goes on when it is at the exit.
                ///
                /// ```gdscript
                /// func _on_agent_link_reached(details: Dictionary) -> void:
                ///     if details["tag"] == &"ladder":
                ///         sprite.play("climb")
                /// ```
                #[signal]
                fn link_reached(details: VarDictionary);

                /// Emitted when the body is at the end of a link, with the details of [signal link_reached].
                /// `position` is that end.
                #[signal]
                fn link_left(details: VarDictionary);

                /// Emitted once for each target when the body has arrived there. A body that had to settle
                /// beside others moves up when they leave, and emits it then, after [signal
                /// navigation_finished]. A body that is pushed off and comes back does not emit it again. The
                /// same target, set again, is another order.
                #[signal]
                fn target_reached();

                /// Emitted once for each path when the body is at its end, reached or as near as it can get,
                /// and when there is no path.
                ///
                /// Every order is answered by it once, also the same target when the body rests there
                /// already. An order that another order or [method stop] replaces before that gets no answer.
                /// It is emitted, too, when an order of the crowd ends because the agent has left the scene
                /// tree or the crowd. A body that only gets another parent keeps its order.
                #[signal]
                fn navigation_finished();

                /// Emitted when there is no path, with the refused path: see [member PathForgePath.reason].
                /// An agent that has a target and no grid emits it with [constant
                /// PathForgePath.REASON_NO_GRID], and goes on when there is a grid. After an edit elsewhere
                /// it is emitted again only for another reason.
                ///
                /// ```gdscript
                /// func _on_agent_navigation_failed(path: PathForgePath) -> void:
                ///     say(path.describe())
                /// ```
                #[signal]
                fn navigation_failed(path: Gd<PathForgePath>);

                /// Emitted when others keep the body from its target. The body
                ///
                /// - is stuck among them,
                /// - rests behind others, away from the target,
                /// - or has settled beside others that are at its target: then [signal navigation_finished]
                ///   follows.
                ///
                /// [method get_blockage] names the others. If another path leads around agents that stand on
                /// its path, the body takes that path after some five seconds, and [signal path_changed] is
                /// emitted instead.
                #[signal]
                fn blocked_by_others();

                $($signal)*
            }

            get get_crowd() -> NodeArg<PathForgeCrowd> = |this| this.agent.named_crowd().into();
            set set_crowd(crowd: NodeArg<PathForgeCrowd>) = |this| this.agent.set_crowd(crowd.node()?);

            get get_avoidance_enabled() -> bool = |this| this.agent.avoidance_enabled;
            set set_avoidance_enabled(avoidance_enabled: bool) = |this| {
                this.agent.avoidance_enabled = avoidance_enabled.value;
                this.agent.outdate_membership();
            };
            get get_profile() -> Option<Gd<PathForgeProfile>> = |this| this.agent.profile.clone();
            set set_profile(profile: Option<Gd<PathForgeProfile>>) = |this| {
                this.agent.wear(profile.value);
                this.agent.outdate_membership();
            };
            get get_radius() -> f64 = |this| this.agent.radius;
            set set_radius(radius: f64) = |this| {
                this.agent.radius = radius.at_least_zero()?;
                this.agent.outdate_membership();
            };
            get get_priority() -> f64 = |this| this.agent.priority;
            set set_priority(priority: f64) = |this| {
                this.agent.priority = priority.within(0.0..=1.0)?;
                this.agent.outdate_membership();
            };
            get get_hold_position() -> bool = |this| this.agent.hold_position;
            set set_hold_position(hold_position: bool) = |this| {
                this.agent.hold_position = hold_position.value;
                this.agent.outdate_membership();
            };
            get get_avoidance_layers() -> i64 = |this| i64::from(this.agent.avoidance.layers);
            set set_avoidance_layers(avoidance_layers: i64) = |this| {
                this.agent.avoidance.layers = avoidance_layers.flags()?;
                this.agent.outdate_membership();
            };
            get get_avoidance_mask() -> i64 = |this| i64::from(this.agent.avoidance.mask);
            set set_avoidance_mask(avoidance_mask: i64) = |this| {
                this.agent.avoidance.mask = avoidance_mask.flags()?;
                this.agent.outdate_membership();
            };

            get get_goal_mode() -> Constant<enumeration::GoalMode> = |this| {
                Constant::of(this.agent.walker.settings.goal_mode as i64)
            };
            set set_goal_mode(goal_mode: Constant<enumeration::GoalMode>) = |this| {
                this.agent.walker.settings.goal_mode = convert::goal_mode(goal_mode.value)?;
            };

            get get_path_desired_distance() -> f64 = |this| this.agent.walker.settings.path_desired_distance;
            set set_path_desired_distance(path_desired_distance: f64) = |this| {
                this.agent.walker.settings.path_desired_distance = path_desired_distance.at_least_zero()?;
            };
            get get_target_desired_distance() -> f64 = |this| {
                this.agent.walker.settings.target_desired_distance
            };
            set set_target_desired_distance(target_desired_distance: f64) = |this| {
                this.agent.walker.settings.target_desired_distance = target_desired_distance.at_least_zero()?;
            };
            get get_path_max_distance() -> f64 = |this| this.agent.walker.settings.path_max_distance;
            set set_path_max_distance(path_max_distance: f64) = |this| {
                this.agent.walker.settings.path_max_distance = path_max_distance.at_least_zero()?;
            };
            get get_repath_seconds() -> f64 = |this| this.agent.walker.settings.repath_seconds;
            set set_repath_seconds(repath_seconds: f64) = |this| {
                this.agent.walker.settings.repath_seconds = repath_seconds.at_least_zero()?;
            };

            get get_target_position() -> $Vector = |this| Self::shown(this.agent.target().unwrap_or_default());
            set set_target_position(target_position: $Vector) = |this| {
                let target = target_position.value;
                if !target.is_finite() {
                    // As scripts of Godot's own agents say "nowhere".
                    this.agent.forget_target();
                    return Err(format!("{target} is not finite; the agent stops: call stop() instead").into());
                }
                this.agent.change_target(Self::of_space(target));
            };

            get get_debug_enabled() -> bool = |this| this.agent.debug_enabled;
            set set_debug_enabled(debug_enabled: bool) = |this| {
                this.agent.debug_enabled = debug_enabled.value;
                this.agent.show_route();
            };
            get get_debug_path_color() -> Color = |this| this.agent.debug_path_color;
            set set_debug_path_color(debug_path_color: Color) = |this| {
                this.agent.debug_path_color = debug_path_color.value;
            };
            get get_debug_path_width() -> f64 = |this| this.agent.debug_path_width;
            set set_debug_path_width(debug_path_width: f64) = |this| {
                this.agent.debug_path_width = debug_path_width.value;
            };

            $($rest)*
        }

        impl HasState for $Class {
            type State = Published;

            fn state(&self) -> &Arc<State<Published>> {
                &self.agent.published
            }
        }

        #[godot_api(secondary)]
        impl $Class {
            /// Puts the body on one of its [member avoidance_layers], 1 to 32, or takes it off.
            #[func]
            fn set_avoidance_layer_value(&mut self, layer_number: i64, value: bool) {
                let method = concat!(stringify!($Class), ".set_avoidance_layer_value");
                if let Some(bit) = layer_bit(method, "layer_number", layer_number) {
                    set_bit(&mut self.agent.avoidance.layers, bit, value);
                    self.agent.outdate_membership();
                }
            }

            /// Returns [code]true[/code] if the body is on this one of its [member avoidance_layers], 1 to
            /// 32.
            #[func]
            fn get_avoidance_layer_value(&self, layer_number: i64) -> bool {
                let method = concat!(stringify!($Class), ".get_avoidance_layer_value");
                let bit = layer_bit(method, "layer_number", layer_number);
                bit.is_some_and(|bit| self.agent.avoidance.layers & bit != 0)
            }

            /// Adds a layer, 1 to 32, to the [member avoidance_mask], or takes it out.
            #[func]
            fn set_avoidance_mask_value(&mut self, mask_number: i64, value: bool) {
                let method = concat!(stringify!($Class), ".set_avoidance_mask_value");
                if let Some(bit) = layer_bit(method, "mask_number", mask_number) {
                    set_bit(&mut self.agent.avoidance.mask, bit, value);
                    self.agent.outdate_membership();
                }
            }

            /// Returns [code]true[/code] if a layer, 1 to 32, is in the [member avoidance_mask].
            #[func]
            fn get_avoidance_mask_value(&self, mask_number: i64) -> bool {
                let method = concat!(stringify!($Class), ".get_avoidance_mask_value");
                let bit = layer_bit(method, "mask_number", mask_number);
                bit.is_some_and(|bit| self.agent.avoidance.mask & bit != 0)
            }

            /// Forgets the target: the body stays where it is, and no signal is emitted.
            #[func]
            fn stop(&mut self) {
                self.agent.forget_target();
            }

            /// Returns the grid that the agent uses, set or found, or `null`.
            #[func]
            fn get_effective_grid(&self) -> Option<Gd<PathForgeGrid>> {
                self.agent.effective_map().0
            }

            /// Returns the crowd that the body belongs to or will join: [member crowd], or else the crowd of
            /// its grid. It is `null` without a grid, and until the first velocity is asked for if the grid
            /// has to make a crowd.
            #[func]
            fn get_effective_crowd(&self) -> Option<Gd<PathForgeCrowd>> {
                self.agent.effective_crowd()
            }

            /// Returns [code]true[/code] while others keep the body from its target: see [signal
            /// blocked_by_others]. [method get_blockage] names them.
            #[func]
            fn is_blocked_by_others(&self) -> bool {
                self.agent.is_blocked()
            }

            /// Returns the id of the link of the grid that the body is on, or −1 if it is on none.
            #[func]
            fn get_current_link(&self) -> i64 {
                self.agent.on_link().map_or(-1, i64::from)
            }

            /// Returns the id of the link before which the body waits until that has room, or −1 if it waits
            /// for none. See [method PathForgeGrid.set_link_capacity].
            #[func]
            fn get_awaited_link(&self) -> i64 {
                self.agent.awaited_link().map_or(-1, i64::from)
            }

            /// Returns [code]true[/code] if there is nothing to walk to: there is no target or no route, or
            /// the body is at the end of its route.
            #[func(gd_self)]
            fn is_navigation_finished(this: Gd<Self>) -> bool {
                !state::of(&this).lock().is_navigating
            }

            /// Returns [code]true[/code] if the body has arrived at the target and is there. With [constant
            /// PathForgeGrid.GOAL_COVER] and [constant PathForgeGrid.GOAL_NEAREST] it must cover the cell of
            /// the target; the centre of a large body may be off it by half of its length.
            ///
            /// While others have pushed the body off by more than its own length, or behind a wall, it
            /// returns [code]false[/code]. During an order of the crowd it returns [code]true[/code] as long
            /// as [method PathForgeCrowd.get_state] is [constant PathForgeCrowd.STATE_ARRIVED].
            #[func(gd_self)]
            fn is_target_reached(this: Gd<Self>) -> bool {
                state::of(&this).lock().is_reached
            }

            /// Returns [code]true[/code] if the body can get to the target. The path says so or, before it
            /// has come, the grid, without a search.
            #[func]
            fn is_target_reachable(&mut self) -> bool {
                self.agent.can_reach_target()
            }

            /// Returns the index in [method get_current_navigation_path] of the position that the body walks
            /// to.
            #[func]
            fn get_current_navigation_path_index(&self) -> i64 {
                self.agent.walker.next_index() as i64
            }

            /// Returns the path that the route was made from, or `null`.
            #[func]
            fn get_current_path(&self) -> Option<Gd<PathForgePath>> {
                self.agent.path.clone()
            }

            // A request calls it back by this name. Scripts have no business with it, as the underscore says.
            #[func(gd_self, rename = _on_path_answered)]
            fn on_path_answered(this: Gd<Self>, path: Option<Gd<PathForgePath>>) {
                Agent::take_answer(Self::named(this), path);
            }
        }

        impl $Class {
            /// The direct answer of a method, if it has one.
            pub fn direct(method: &str, declared: Declared) -> Option<Functions> {
                Some(match method {
                    "get_target_position" => {
                        declared.after(|_: &Gd<Self>, published: &State<Published>, (): ()| {
                            Some(Self::shown(published.try_lock()?.target.unwrap_or_default()))
                        })
                    }
                    "get_next_velocity" => {
                        declared.after(|_: &Gd<Self>, published: &State<Published>, (speed,): (f64,)| {
                            published.try_lock()?.velocity.exchange_silently(speed).map(Self::shown)
                        })
                    }
                    "is_navigation_finished" => {
                        declared.after(|_: &Gd<Self>, published: &State<Published>, (): ()| {
                            Some(!published.try_lock()?.is_navigating)
                        })
                    }
                    "is_target_reached" => {
                        declared.after(|_: &Gd<Self>, published: &State<Published>, (): ()| {
                            Some(published.try_lock()?.is_reached)
                        })
                    }
                    _ => return None,
                })
            }
        }
    };
}

pub(super) use agent_api;
