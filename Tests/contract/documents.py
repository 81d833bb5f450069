"""The contract's own documents: are they valid, and do the examples in docs/ and README.md keep to them?"""
import json
import re
import warnings

import compatibility
import jsonschema
import schemas

RELEASED = schemas.DEPLOY / "schemas" / "released"
FENCE = re.compile(r"^```json[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
# What tells a message's schema in an example; the first that fits counts.
MARKS = [
    ("video-record", {"videoId", "url"}), ("request-event", {"requestId", "type", "stage"}), ("channel-details", {"channelId", "resolvedBy"}),
    ("playlist-page", {"items", "last"}), ("playlist-request", {"playlistId", "pageNumber", "requestId"}), ("worker-report", {"stage", "worker"}),
    ("search-continuation", {"pageToken", "seen"}), ("search-request", {"query"}),
]
TARGETS = {"channel", "id", "handle", "username", "url", "video", "playlist"}


def check_schemas(all_schemas):
    problems = []
    for name, schema in all_schemas.items():
        try:
            jsonschema.Draft202012Validator.check_schema(schema)
        except jsonschema.SchemaError as error:
            problems.append(f"{name}: {error.message}")
            continue
        checker = schemas.validator(schemas.strict(schema))
        for number, example in enumerate(schema.get("examples", [])):
            problems += [f"{name}, example {number + 1}: {text}" for text in schemas.complaints(checker, example)]
        if not schema.get("examples"):
            problems.append(f"{name} has no example")
        if schema.get("$id") != f"urn:tubeline:schema:{name}:v1":
            problems.append(f"{name} has another $id: {schema.get('$id')}")
    return problems


def check_asyncapi(document, all_schemas):
    """By a model of the AsyncAPI specification, and by following every reference."""
    warnings.simplefilter("ignore")
    import asyncapi3
    import pydantic

    problems = []
    try:
        asyncapi3.AsyncAPI3.model_validate(document)
    except pydantic.ValidationError as error:
        problems += [f"{'/'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors()]
    used = set()
    for reference in _references(document):
        if reference.startswith("./schemas/"):
            used.add(reference.removeprefix("./schemas/").removesuffix(schemas.SUFFIX))
        elif not _leads_somewhere(document, reference):
            problems.append(f"{reference} leads nowhere")
    problems += [f"there is no schema {name}" for name in sorted(used - set(all_schemas))]
    problems += [f"the schema {name} belongs to no message" for name in sorted(set(all_schemas) - used)]
    with_operation = {operation["channel"]["$ref"].removeprefix("#/channels/") for operation in document["operations"].values()}
    problems += [f"nobody does anything with {name}" for name in sorted(set(document["channels"]) - with_operation)]
    return problems


def _references(node):
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for value in node.values():
            yield from _references(value)
    elif isinstance(node, list):
        for value in node:
            yield from _references(value)


def _leads_somewhere(document, reference):
    if not reference.startswith("#/"):
        return False
    node = document
    for part in reference[2:].split("/"):
        if part not in node:
            return False
        node = node[part]
    return True


def modes(document):
    """How Tubeline deals with each schema of a value: accepted, produced or both."""
    result = {}
    for operation in document["operations"].values():
        channel = document["channels"][operation["channel"]["$ref"].removeprefix("#/channels/")]
        for message in channel["messages"]:
            payload = document["components"]["messages"][message].get("payload")
            if payload:
                result.setdefault(schemas.schema_name(payload), set()).add({"send": "produced", "receive": "accepted"}[operation["action"]])
    return {name: "both" if len(ways) == 2 else ways.pop() for name, ways in result.items()}


def check_compatibility(document, all_schemas):
    releases = sorted((path for path in RELEASED.iterdir() if path.is_dir()), key=lambda path: [int(n) for n in path.name.split(".")])
    if not releases:
        return ["there are no released schemas"]
    problems = []
    for name, old in schemas.load(releases[-1]).items():
        if name not in all_schemas:
            problems.append(f"{name} was released with {releases[-1].name} and is gone")
            continue
        # Headers are written and read by the stages; readers from outside see them as produced.
        mode = modes(document).get(name, "produced")
        problems += [f"{name} ({mode}), against {releases[-1].name}: {text}" for text in compatibility.breaks(old, all_schemas[name], mode)]
    return problems


def check_examples(all_schemas):
    """Every JSON block in docs/ and README.md; returns problems, and how many examples were looked at."""
    problems, checked = [], 0
    for path in [schemas.ROOT / "README.md", *sorted((schemas.ROOT / "docs").glob("*.md"))]:
        for block in FENCE.findall(path.read_text()):
            try:
                examples = list(_values(block))
            except ValueError as error:
                problems.append(f"{path.name}: a JSON block is no JSON: {error}: {block[:80]}")
                continue
            for example in examples:
                name = _schema_of(example)
                if name is None:
                    continue
                checked += 1
                checker = schemas.validator(schemas.strict(all_schemas[name]))
                problems += [f"{path.name}, {name}: {text}" for text in schemas.complaints(checker, example)]
    return problems, checked


def _values(block):
    decoder, place = json.JSONDecoder(), 0
    while block[place:].strip():
        place += len(block[place:]) - len(block[place:].lstrip())
        value, place = decoder.raw_decode(block, place)
        yield value


def _schema_of(example):
    if not isinstance(example, dict):
        return None
    for name, marks in MARKS:
        if marks <= set(example):
            return name
    return "channel-request" if len(TARGETS & set(example)) == 1 else None
