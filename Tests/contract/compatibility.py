"""Which changes of a schema break those who were built on the last released one.

accepted: Tubeline reads it. What was valid must stay valid.
produced: Tubeline writes it. What is written now must be what readers of the old schema expect; members may be added, since readers ignore
          what they don't know.
both:     Tubeline's stages read what others of them write, also while old and new ones run side by side.
"""
LOWER = ["minimum", "minLength", "minItems", "minProperties"]
UPPER = ["maximum", "maxLength", "maxItems", "maxProperties"]
NOTES = {"description", "title", "examples", "$comment", "$id", "$schema", "$defs"}


def breaks(old, new, mode):
    """Every way in which `new` breaks somebody, as sentences."""
    found = []
    if mode in ("accepted", "both"):
        _narrowed(old, new, old, new, "", found, readers=False)
    if mode in ("produced", "both"):
        # What is written may only get narrower: the same question the other way round.
        _narrowed(new, old, new, old, "", found, readers=True)
    return sorted(set(found))


def _resolve(node, root):
    merged = {}
    while "$ref" in node:
        merged |= {key: value for key, value in node.items() if key != "$ref"}
        node = root["$defs"][node["$ref"].removeprefix("#/$defs/")]
    return node | merged


def _narrowed(wide, narrow, wide_root, narrow_root, path, found, readers):
    """Reports where `narrow` refuses what `wide` allows. `readers`: the wide one is the new schema, and the narrow one what readers know."""
    wide, narrow = _resolve(wide, wide_root), _resolve(narrow, narrow_root)
    place = path or "the message"

    def report(text):
        found.append(f"{place}: {text}")

    _types(wide, narrow, report, readers)
    _words(wide, narrow, report, readers)
    for key in LOWER:
        if narrow.get(key) is not None and (wide.get(key) is None or wide[key] < narrow[key]):
            report(f"{key} is {'no longer' if readers else 'now'} {narrow[key]}")
    for key in UPPER:
        if narrow.get(key) is not None and (wide.get(key) is None or wide[key] > narrow[key]):
            report(f"{key} is {'no longer' if readers else 'now'} {narrow[key]}")
    if narrow.get("pattern") is not None and wide.get("pattern") != narrow["pattern"]:
        report("its pattern has changed")
    for member in sorted(set(narrow.get("required", [])) - set(wide.get("required", []))):
        report(f"{member} is {'no longer' if readers else 'now'} required")
    _members(wide, narrow, wide_root, narrow_root, path, found, readers, report)
    for key in ("allOf", "if", "then", "else", "not"):
        if key in narrow and _bare(wide.get(key)) != _bare(narrow[key]):
            report(f"{key} has changed")
    for key in ("anyOf", "oneOf"):
        if key in narrow and not all(_bare(branch) in _bare(narrow[key]) for branch in wide.get(key, [None])):
            report(f"{key} {'has more branches' if readers else 'has fewer branches'}")


def _types(wide, narrow, report, readers):
    def types(node):
        value = node.get("type")
        names = {value} if isinstance(value, str) else set(value or [])
        return names | {"integer"} if "number" in names else names

    if types(narrow) and not (types(wide) and types(wide) <= types(narrow)):
        old, new = (narrow, wide) if readers else (wide, narrow)
        report(f"its type was {old.get('type', 'anything')} and is {new.get('type', 'anything')}")


def _words(wide, narrow, report, readers):
    def words(node):
        return [node["const"]] if "const" in node else node.get("enum")

    if words(narrow) is None:
        return
    extra = [word for word in words(wide) or [] if word not in words(narrow)]
    if words(wide) is None:
        report("it may be any value now" if readers else "only some values are allowed now")
    elif extra:
        report(f"{', '.join(map(str, extra))} {'may be written now' if readers else 'is no longer allowed'}")


def _members(wide, narrow, wide_root, narrow_root, path, found, readers, report):
    old, new = (narrow, wide) if readers else (wide, narrow)
    for name in sorted(set(old.get("properties", {})) - set(new.get("properties", {}))):
        report(f"{name} is gone")
    for name in sorted(set(wide.get("properties", {})) & set(narrow.get("properties", {}))):
        _narrowed(wide["properties"][name], narrow["properties"][name], wide_root, narrow_root, f"{path}/{name}", found, readers)
    for key, label in (("items", "[]"), ("additionalProperties", "{}")):
        if isinstance(narrow.get(key), dict):
            if isinstance(wide.get(key), dict):
                _narrowed(wide[key], narrow[key], wide_root, narrow_root, path + label, found, readers)
            else:
                report(f"{key} has changed")
    if narrow.get("additionalProperties") is False and wide.get("additionalProperties") is not False and not readers:
        report("unknown members are refused now")


def _bare(node):
    """Without what is said for people."""
    if isinstance(node, dict):
        return {key: _bare(value) for key, value in node.items() if key not in NOTES}
    return [_bare(value) for value in node] if isinstance(node, list) else node
