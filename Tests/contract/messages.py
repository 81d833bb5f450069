"""Checks every message of a dump, which end-to-end tests write (Tests/EndToEndTests/World/World+Dump.swift)."""
import base64
import collections
import json

import schemas

KEYS = {
    "ChannelDetails": lambda value: value["channelId"],
    "PlaylistRequest": lambda value: value["playlistId"],
    "PlaylistPage": lambda value: value["requestId"]
    if value["source"] == "search"
    else value.get("playlistId") or value["items"][0]["videoId"],
    "VideoRecord": lambda value: value["videoId"],
    "RequestEvent": lambda value: value["requestId"],
    "RequestControl": lambda value: value["requestId"],
    "SearchContinuation": lambda value: value["requestId"],
    "WorkerReport": lambda value: f"{value['stage']}/{value['worker']}",
}


class Message:
    def __init__(self, line):
        self.topic, self.place = line["topic"], f"{line['topic']}-{line['partition']}-{line['offset']}"
        self.key = None if line["key"] is None else base64.b64decode(line["key"])
        self.value = None if line["value"] is None else base64.b64decode(line["value"])
        # The last header of a name counts.
        self.headers = {name: None if value is None else base64.b64decode(value).decode(errors="replace") for name, value in line["headers"]}

    @property
    def is_own(self):
        return (self.headers.get("ce_source") or "").startswith("tubeline/")


class Checker:
    def __init__(self, document, all_schemas):
        self.document = document
        self.schemas = all_schemas
        self.channels = {channel["address"]: channel for channel in document["channels"].values()}
        self.checkers = {name: schemas.validator(schemas.strict(schema)) for name, schema in all_schemas.items()}
        # Headers that came with a request are handed on: unknown ones are right.
        self.open = {name: schemas.validator(schema) for name, schema in all_schemas.items()}
        self.problems, self.seen = [], collections.Counter()

    def check_topics(self, topics):
        """The table of the code against the document's channels."""
        for name in sorted(set(topics) ^ set(self.channels)):
            self.problems.append(f"the topic {name} is only in the {'code' if name in topics else 'document'}")
        for name in sorted(set(topics) & set(self.channels)):
            wanted = self.channels[name]["bindings"]["kafka"]["topicConfiguration"]
            policy, retention = topics[name]["cleanup.policy"].split(","), int(topics[name]["retention.ms"])
            if sorted(policy) != sorted(wanted["cleanup.policy"]) or retention != wanted["retention.ms"]:
                self.problems.append(f"the topic {name} is {policy}, {retention} ms in the code and {wanted} in the document")

    def check(self, message):
        channel = self.channels.get(message.topic)
        if channel is None:
            self.problems.append(f"{message.place}: no such channel")
            return
        names = list(channel["messages"])
        if names[0] in ("RetriedMessage", "DeadLetter"):
            is_settlement = message.value is None and "tubeline-settled" in message.headers and "tubeline-failed-at" not in message.headers
            self._headers(message, "Settlement" if is_settlement else names[0])
            return
        name = names[0]
        verdict = message.headers.get("x-contract")
        if verdict and not message.is_own:
            self._request(message, name, verdict)
        elif "tubeline-replay-of" in message.headers or not message.is_own:
            # Bytes that were given up as they were, or that a test has made up.
            self.seen["not ours"] += 1
        elif message.value is None:
            self.seen[f"{name} tombstone"] += 1
        else:
            self._own(message, name)

    def _headers(self, message, name):
        part = self.document["components"]["messages"][name]["headers"]
        self._complain(message, name + " headers", schemas.complaints(self.open[schemas.schema_name(part)], message.headers))
        self.seen[name] += 1
        if name == "DeadLetter":
            self.seen[f"DeadLetter {message.headers.get('tubeline-error-code')}"] += 1

    def _own(self, message, name):
        described = self.document["components"]["messages"][name]
        self._complain(message, name + " headers", schemas.complaints(self.open["headers"], message.headers))
        if message.headers.get("ce_type") != described["name"]:
            self._complain(message, name, [f"ce_type is {message.headers.get('ce_type')}"])
        value = json.loads(message.value)
        found = schemas.complaints(self.checkers[schemas.schema_name(described["payload"])], value)
        self._complain(message, name, found)
        if not found and name in KEYS and message.key != KEYS[name](value).encode():
            self._complain(message, name, [f"the key is {message.key}"])
        self.seen[name] += 1
        if name == "RequestEvent":
            self.seen[f"RequestEvent {value.get('type')}"] += 1

    def _request(self, message, name, verdict):
        """A request of which a test knows whether a worker takes it."""
        try:
            value = json.loads(message.value)
            found = schemas.complaints(self.open[schemas.schema_name(self.document["components"]["messages"][name]["payload"])], value)
        except ValueError as error:
            found = [f"no JSON: {error}"]
        if bool(found) != (verdict == "invalid"):
            self._complain(message, name, found or [f"the schema takes what a worker refuses: {message.value[:200]!r}"])
        self.seen[f"{name} {verdict}"] += 1

    def _complain(self, message, what, found):
        self.problems += [f"{message.place}, {what}: {text}" for text in found]
