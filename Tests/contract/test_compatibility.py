"""Changes that break somebody are found, and those that break nobody are not."""
import copy
import unittest

import compatibility
import schemas

RECORD = schemas.load()["video-record"]
REQUEST = schemas.load()["channel-request"]


def changed(schema, change):
    schema = copy.deepcopy(schema)
    change(schema)
    return schema


def member(name, value):
    return lambda schema: schema["properties"].__setitem__(name, value)


def without(name):
    return lambda schema: schema["properties"].pop(name)


BREAKING = [
    ("produced", RECORD, without("title"), "title is gone"),
    ("produced", RECORD, lambda s: s["required"].remove("fetchedAt"), "fetchedAt is no longer required"),
    ("produced", RECORD, member("position", {"type": "string"}), "its type was integer and is string"),
    ("produced", RECORD, member("position", {"type": ["integer", "null"], "minimum": 0, "maximum": 9007199254740992}), "its type"),
    ("produced", RECORD, lambda s: s["$defs"]["availability"]["enum"].append("membersOnly"), "membersOnly may be written now"),
    ("produced", RECORD, member("availability", {"type": "string"}), "it may be any value now"),
    ("produced", RECORD, lambda s: s["properties"]["durationSeconds"].pop("minimum"), "minimum is no longer 0"),
    ("produced", RECORD, lambda s: s["properties"]["statistics"]["properties"].pop("likeCount"), "likeCount is gone"),
    ("produced", RECORD, lambda s: s["properties"]["tags"]["items"].__setitem__("type", "integer"), "/tags[]: its type"),
    ("accepted", REQUEST, lambda s: s["required"].append("requestId"), "requestId is now required"),
    ("accepted", REQUEST, without("since"), "since is gone"),
    ("accepted", REQUEST, lambda s: s["$defs"]["scope"]["enum"].remove("video"), "video is no longer allowed"),
    ("accepted", REQUEST, lambda s: s["properties"]["requestId"].__setitem__("maxLength", 64), "maxLength is now 64"),
    ("accepted", REQUEST, lambda s: s["properties"]["channel"].__setitem__("pattern", "^@"), "its pattern has changed"),
    ("accepted", REQUEST, lambda s: s["oneOf"].pop(), "oneOf has fewer branches"),
    ("accepted", REQUEST, lambda s: s.__setitem__("additionalProperties", False), "unknown members are refused now"),
    ("both", RECORD, lambda s: s["$defs"]["source"]["enum"].append("mix"), "mix may be written now"),
    ("both", RECORD, lambda s: s["$defs"]["source"]["enum"].remove("search"), "search is no longer allowed"),
    ("both", RECORD, lambda s: s["required"].append("title"), "title is now required"),
]
HARMLESS = [
    ("produced", RECORD, lambda s: None),
    ("produced", RECORD, member("topics", {"type": "array"})),
    ("produced", RECORD, lambda s: s["required"].append("title")),
    ("produced", RECORD, lambda s: s["$defs"]["source"]["enum"].remove("search")),
    ("produced", RECORD, lambda s: s["properties"]["title"].__setitem__("description", "Other words.")),
    ("produced", RECORD, lambda s: s["properties"].__setitem__("source", s["$defs"].pop("source"))),
    ("accepted", REQUEST, member("priority", {"type": "integer"})),
    ("accepted", REQUEST, lambda s: s["$defs"]["scope"]["enum"].append("shorts")),
    ("accepted", REQUEST, lambda s: s["properties"]["requestId"].pop("maxLength")),
    ("accepted", REQUEST, lambda s: s["oneOf"].append({"required": ["topic"]})),
]


class CompatibilityTests(unittest.TestCase):
    def test_changes_that_break_somebody_are_refused(self):
        for mode, schema, change, expected in BREAKING:
            with self.subTest(expected=expected):
                found = compatibility.breaks(schema, changed(schema, change), mode)
                self.assertTrue(any(expected in problem for problem in found), f"{expected}: {found}")

    def test_changes_that_break_nobody_are_allowed(self):
        for number, (mode, schema, change) in enumerate(HARMLESS):
            with self.subTest(number=number):
                self.assertEqual(compatibility.breaks(schema, changed(schema, change), mode), [])
