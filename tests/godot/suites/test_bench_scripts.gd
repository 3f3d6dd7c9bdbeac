extends TestSuite
## The scripts of the benchmark compile against the classes as they are, though no test runs them.

const FOLDER := "res://bench"


func test_they_compile() -> void:
	var count: int = 0
	for file: String in DirAccess.get_files_at(FOLDER):
		if file.ends_with(".gd"):
			var script: GDScript = load(FOLDER.path_join(file))
			check(script != null and script.can_instantiate(), file)
			count += 1
	check(count > 5, "there are some: %d" % count)
