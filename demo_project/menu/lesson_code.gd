class_name LessonCode
extends CodeEdit
## A lesson's script, to read and to copy from.

const KEYWORDS: PackedStringArray = [
	"and",
	"as",
	"await",
	"const",
	"elif",
	"else",
	"extends",
	"false",
	"for",
	"func",
	"if",
	"in",
	"is",
	"match",
	"not",
	"null",
	"or",
	"return",
	"self",
	"true",
	"var",
	"while",
]


func _ready() -> void:
	editable = false
	gutters_draw_line_numbers = true
	add_theme_font_size_override(&"font_size", 12)
	add_theme_font_override(&"font", _monospaced())
	add_theme_color_override(&"font_readonly_color", DemoPalette.TEXT)
	add_theme_color_override(&"background_color", DemoPalette.PANEL)
	var colors := CodeHighlighter.new()
	for keyword: String in KEYWORDS:
		colors.add_keyword_color(keyword, DemoPalette.BAD)
	colors.add_color_region("#", "", DemoPalette.TEXT_FAINT, true)
	colors.add_color_region('"', '"', DemoPalette.WARN)
	colors.number_color = DemoPalette.GOOD
	colors.symbol_color = DemoPalette.TEXT_DIM
	colors.function_color = DemoPalette.ACCENT
	colors.member_variable_color = DemoPalette.TEXT
	syntax_highlighter = colors


static func _monospaced() -> Font:
	var font := SystemFont.new()
	font.font_names = ["JetBrains Mono", "DejaVu Sans Mono", "Consolas", "Menlo", "monospace"]
	return font
