"""A validator for answers, made of Google's discovery document."""
import re

FORMATS = {
    "uint64": lambda v: isinstance(v, str) and v.isdigit() and int(v) < 2**64,
    "int64": lambda v: isinstance(v, str) and re.fullmatch(r"-?\d+", v) is not None and abs(int(v)) <= 2**63,
    "uint32": lambda v: isinstance(v, int) and 0 <= v < 2**32,
    "int32": lambda v: isinstance(v, int) and -(2**31) <= v < 2**31,
    "date-time": lambda v: re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", v) is not None,
    "double": lambda v: isinstance(v, (int, float)),
}
TYPES = {"string": str, "boolean": bool, "integer": int, "number": (int, float)}

# Sent by the API, and so by its double, although the document does not name it.
UNDOCUMENTED = {("SearchResultSnippet", "publishTime")}


class Invalid(Exception):
    pass


class Validator:
    """Types, formats and enumerations must fit, and no property may be unknown."""

    def __init__(self, document):
        self.schemas = document["schemas"]
        self.checked = 0

    def check(self, schema, value):
        self._reference(schema, value, schema)
        self.checked += 1

    def _reference(self, name, value, path):
        schema = self.schemas[name]
        self._schema(schema, value, path, name)

    def _schema(self, schema, value, path, owner):
        if "$ref" in schema:
            return self._reference(schema["$ref"], value, path)
        kind = schema.get("type", "any")
        if kind == "object":
            return self._object(schema, value, path, owner)
        if kind == "array":
            self._must(isinstance(value, list), path, f"{value!r} is no list")
            for index, element in enumerate(value):
                self._schema(schema["items"], element, f"{path}[{index}]", owner)
            return None
        if kind == "any":
            return None
        self._must(isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool)), path, f"{value!r} is no {kind}")
        if "enum" in schema:
            self._must(value in schema["enum"], path, f"{value!r} is none of {schema['enum']}")
        if schema.get("format") in FORMATS:
            self._must(FORMATS[schema["format"]](value), path, f"{value!r} is no {schema['format']}")
        return None

    def _object(self, schema, value, path, owner):
        self._must(isinstance(value, dict), path, f"{value!r} is no object")
        properties, rest = schema.get("properties", {}), schema.get("additionalProperties")
        for name, member in value.items():
            if name in properties:
                self._schema(properties[name], member, f"{path}.{name}", owner)
            elif rest is not None:
                self._schema(rest, member, f"{path}.{name}", owner)
            else:
                self._must((owner, name) in UNDOCUMENTED, path, f"{name} is not in the document")

    @staticmethod
    def _must(truth, path, sentence):
        if not truth:
            raise Invalid(f"{path}: {sentence}")
