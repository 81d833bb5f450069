"""The JSON Schemas in deploy/schemas and the AsyncAPI document beside them."""
import copy
import json
import pathlib

import jsonschema
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
SUFFIX = ".schema.json"


def load(folder=DEPLOY / "schemas"):
    """All schemas of a folder by name, such as video-record."""
    return {path.name.removesuffix(SUFFIX): json.loads(path.read_text()) for path in sorted(folder.glob("*" + SUFFIX))}


def asyncapi():
    return yaml.safe_load((DEPLOY / "asyncapi.yaml").read_text())


def validator(schema):
    return jsonschema.Draft202012Validator(schema)


def strict(schema):
    """The schema for what Tubeline itself writes: nothing that is not in it, and times in UTC with a Z."""
    schema = copy.deepcopy(schema)
    _close(schema)
    for definition in schema.get("$defs", {}).values():
        _close(definition)
    if "time" in schema.get("$defs", {}):
        schema["$defs"]["time"]["pattern"] = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z$"
    return schema


def _close(node):
    if "properties" in node:
        node.setdefault("additionalProperties", False)
        for member in node["properties"].values():
            _close(member)
    if isinstance(node.get("items"), dict):
        _close(node["items"])
    if isinstance(node.get("additionalProperties"), dict):
        _close(node["additionalProperties"])


def complaints(checker, value):
    return [f"{'/'.join(map(str, error.absolute_path)) or 'the whole'}: {error.message[:300]}" for error in checker.iter_errors(value)]


def schema_name(part):
    """The schema that a payload or headers of the AsyncAPI document refer to."""
    return part["schema"]["$ref"].removeprefix("./schemas/").removesuffix(SUFFIX)
