@tool
extends RefCounted
## What the map doctor found, as text.

const Finding := preload("finding.gd")
const MapDoctor := preload("map_doctor.gd")


## The findings grid by grid, faults first, and a line that counts them.
static func of(doctor: MapDoctor) -> String:
	var lines := PackedStringArray()
	_add_lines(lines, doctor.findings, "")
	for grid: PathForgeGrid in doctor.grids:
		var size := grid.region.size
		lines.append("%s, %d×%d cells" % [doctor.place_of(grid), size.x, size.y])
		var before := lines.size()
		_add_lines(lines, doctor.findings, doctor.place_of(grid))
		if lines.size() == before:
			lines.append("  nothing to report")
	var faults := doctor.fault_count()
	var notes := doctor.findings.size() - faults
	var things := Finding.count(faults, "thing")
	lines.append("%s to mend, %s." % [things, Finding.count(notes, "note")])
	return "\n".join(lines)


static func _add_lines(lines: PackedStringArray, findings: Array[Finding], place: String) -> void:
	for is_fault: bool in [true, false] as Array[bool]:
		for finding: Finding in findings:
			if finding.place == place and finding.is_fault == is_fault:
				lines.append("  %s  %s" % ["mend" if is_fault else "note", finding.text])
