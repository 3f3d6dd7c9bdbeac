extends WalkSuite
## A target that is not finite, which many games use for "nowhere", stops an agent with one error.


func test_a_target_that_is_not_finite_stops_the_agent() -> void:
	for is_in_space: bool in [false, true]:
		var each := Walk.new("sent nowhere", is_in_space)
		add(each.level)
		each.put(Vector2(2.5, 0.5))
		each.send(Vector2(16.5, 0.5))
		await walk([each], 60)
		check(not each.is_finished(), "%s: under way" % each.what)
		var at := each.place()
		var name := each.agent.get_class()
		var text := "%s is not finite; the agent stops: call stop() instead"
		if is_in_space:
			expect_errors(1, "%s.target_position: %s" % [name, text % "(inf, inf, inf)"])
			each.agent.set("target_position", Vector3.INF)
		else:
			expect_errors(1, "%s.target_position: %s" % [name, text % "(inf, inf)"])
			each.agent.set("target_position", Vector2.INF)
		check(each.is_finished(), "%s: it has nothing to walk to" % each.what)
		check_eq(each.agent.get("target_position"), each.global(Vector2.ZERO), "as after stop()")
		await walk([each], 60)
		check(each.place().distance_to(at) < 0.7, "%s walks on to %s" % [each.what, each.place()])
		each.send(Vector2(16.5, 0.5))
		await walk_to_ends([each], 400)
		check(each.agent.call("is_target_reached"), "%s: another order" % each.what)
