class_name PlaygroundLink
extends RefCounted
## Hands codes of maps on: in the address of the page on the web, elsewhere in the clipboard.

## Begins the code in an address.
const MARK := "map="

## Takes the place of the clipboard where there is none.
static var kept := ""


static func is_on_web() -> bool:
	return OS.has_feature("web")


## Returns the code in the address of the page; empty if it has none, and elsewhere.
static func code_of_page() -> String:
	if not is_on_web():
		return ""
	var address: Variant = JavaScriptBridge.eval("location.hash")
	return code_in(str(address)) if MARK in str(address) else ""


## Puts a code into the clipboard; on the web into the address of the page, and all of the address
## into the clipboard.
static func hand_out(code: String) -> void:
	var text := code
	if is_on_web():
		var address: Variant = JavaScriptBridge.eval(
			"location.hash = '#%s%s'; location.href" % [MARK, code]
		)
		text = str(address)
	if DisplayServer.has_feature(DisplayServer.FEATURE_CLIPBOARD):
		DisplayServer.clipboard_set(text)
	else:
		kept = text


## Returns the code in the clipboard, or whatever else is there.
static func take() -> String:
	if DisplayServer.has_feature(DisplayServer.FEATURE_CLIPBOARD):
		return code_in(DisplayServer.clipboard_get())
	return code_in(kept)


## Returns the code in a link. A text that is no link is a code by itself.
static func code_in(text: String) -> String:
	return text.strip_edges().get_slice(MARK, text.strip_edges().get_slice_count(MARK) - 1)
