"""What the Swift sources say about topics and stages, and what follows from it for a cluster: rights, Strimzi's resources, alert rules."""

import re
from pathlib import Path

import yaml

PROJECT = Path(__file__).resolve().parents[2]
# Groups of readers that come and go; TOPIC_PREFIX is not put before them.
UNPREFIXED = ["tubeline-cli-"]
MADE = "# Made by `make deploy-files`; do not change it by hand.\n"


def read(path):
  return (PROJECT / path).read_text(encoding="utf-8")


def topics():
  """[(name, compacted, days)] of Messages/Topic.swift, in its order."""
  source = read("Sources/Messages/Topic.swift")
  names = dict(re.findall(r'static let (\w+) = Topic\("([^"]+)"\)', source))
  stages = re.search(r"case (search[^\n]*)", source)[1].replace(" ", "").split(",")
  found = []
  for name, rest in re.findall(r"plan\(\s*\.(\w+),([^)]*)\)", source):
    found.append((names[name], "compacted: true" in rest, int(re.search(r"days: (\d+)", rest)[1])))
  assert len(found) == source.count("plan(.") - 2, "a row of Topic.all is not understood"
  retry = int(re.search(r"plan\(\.retry.*?days: (\d+)", source)[1])
  dead = int(re.search(r"plan\(\.dead.*?days: (\d+)", source)[1])
  found += [(f"{stage}-retry", False, retry) for stage in stages if stage != "videos"]
  found += [(f"{stage}-dead", False, dead) for stage in stages]
  return found


def flow():
  """[(stage, inputs, outputs, retries in place)] of Stages/StageOrder.swift."""
  names = dict(re.findall(r'static let (\w+) = Topic\("([^"]+)"\)', read("Sources/Messages/Topic.swift")))
  source = read("Sources/Stages/StageOrder.swift")
  rows = re.findall(r"stage: \.(\w+),\s*inputs: \[([^\]]*)\],\s*outputs: \[([^\]]*)\],\s*retriesInPlace: (true|false)", source)
  assert len(rows) == source.count("stage: ."), "a row of StageOrder is not understood"
  listed = lambda text: [names[name] for name in re.findall(r"\.(\w+)", text)]
  return [(stage, listed(inputs), listed(outputs), inPlace == "true") for stage, inputs, outputs, inPlace in rows]


def rights():
  """[(principal, resource, pattern, name, operations)]: the least that each executable needs."""
  rows = []
  add = lambda user, resource, pattern, names, operations: rows.extend((user, resource, pattern, name, operations) for name in names)
  for stage, inputs, outputs, in_place in flow():
    user = f"tubeline-{stage}"
    retry = [] if in_place else [f"{stage}-retry"]
    reads = inputs + retry + ["request-control"]
    writes = [name for name in outputs if name not in reads] + [f"{stage}-dead", "worker-status"]
    both = [name for name in reads if name in outputs + retry]
    add(user, "topic", "literal", [name for name in reads if name not in both], "Describe, Read")
    add(user, "topic", "literal", both, "Describe, Read, Write")
    add(user, "topic", "literal", writes, "Describe, Write")
    add(user, "group", "literal", [user], "Describe, Read")
    # Its reader is told where to begin, and looks for its group's coordinator all the same.
    add(user, "group", "literal", ["request-control-reader"], "Describe")
    add(user, "transactionalId", "prefix", [f"{user}-"], "Describe, Write")
  every = [name for name, _, _ in topics()]
  requests = ["search-requests", "channel-requests", "request-control"]
  add("tubeline-catalog", "topic", "literal", [name for name in every if name not in requests], "Describe, Read")
  add("tubeline-catalog", "topic", "literal", requests, "Describe, Read, Write")
  add("tubeline-catalog", "group", "literal", ["tubeline-catalog"], "Describe, Read")
  # Lags: the offsets of other groups are looked at, never committed.
  add("tubeline-catalog", "group", "prefix", ["tubeline-"], "Describe")
  # Who runs `tubeline`: publish, cancel, status, events, videos, doctor, and replays of dead letters, which go back to where they came from.
  add("tubeline-operator", "topic", "literal", every, "Describe, DescribeConfigs, Read, Write")
  add("tubeline-operator", "group", "prefix", ["tubeline-"], "Describe")
  add("tubeline-operator", "group", "prefix", UNPREFIXED, "Describe")
  add("tubeline-operator", "transactionalId", "literal", ["tubeline-dead-letters"], "Describe, Write")
  # `tubeline topics create`.
  add("tubeline-admin", "topic", "literal", every, "Create, Describe, DescribeConfigs")
  # An example of somebody downstream.
  add("my-index", "topic", "literal", ["video-records"], "Describe, Read")
  add("my-index", "group", "literal", ["my-index"], "Describe, Read")
  return rows


def strimzi_topics():
  text = MADE + "# Twelve partitions are twelve workers of a stage at most; they can be added, but not taken away.\n"
  for index, (name, compacted, days) in enumerate(topics()):
    text += "---\n" if index else ""
    text += f"""apiVersion: kafka.strimzi.io/v1
kind: KafkaTopic
metadata:
  name: {name}
  labels: {{strimzi.io/cluster: kafka}}
spec:
  partitions: 12
  replicas: 3
  config:
    cleanup.policy: {"compact,delete" if compacted else "delete"}
    retention.ms: {days * 86_400_000}
    min.insync.replicas: 2
"""
  return text


def strimzi_users():
  text, users = MADE, {}
  for user, resource, pattern, name, operations in rights():
    users.setdefault(user, []).append((resource, pattern, name, operations))
  for index, (user, rules) in enumerate(users.items()):
    text += "---\n" if index else ""
    text += f"""apiVersion: kafka.strimzi.io/v1
kind: KafkaUser
metadata:
  name: {user}
  labels: {{strimzi.io/cluster: kafka}}
spec:
  authentication:
    type: scram-sha-512
  authorization:
    type: simple
    acls:
"""
    for resource, pattern, name, operations in rules:
      text += f"      - resource: {{type: {resource}, name: {name}, patternType: {pattern}}}\n        operations: [{operations}]\n"
  return text


def rights_file():
  header = MADE + "# The least rights of each executable on Kafka; scripts/kafka-acls prints them as commands.\n# user\tresource\tpattern\tname\toperations\n"
  return header + "".join("\t".join(row) + "\n" for row in rights())


def prometheus_rule():
  groups = yaml.safe_load(read("deploy/prometheus/alerts.yml"))["groups"]
  resource = {"apiVersion": "monitoring.coreos.com/v1", "kind": "PrometheusRule", "metadata": {"name": "tubeline"}, "spec": {"groups": groups}}
  return MADE + "# From deploy/prometheus/alerts.yml.\n" + yaml.safe_dump(resource, sort_keys=False, width=200)


def rights_table():
  """For docs/operations.md: one row for each user, operations and kind of resource."""
  merged = {}
  for user, resource, pattern, name, operations in rights():
    merged.setdefault((user, operations, resource), []).append(f"`{name}{'…' if pattern == 'prefix' else ''}`")
  lines = ["| user | may | on |", "|---|---|---|"]
  every = len(topics())
  for (user, operations, resource), names in merged.items():
    on = "every topic" if resource == "topic" and len(names) == every else f"{resource}{'s' if len(names) > 1 else ''} " + ", ".join(names)
    lines.append(f"| `{user}` | {operations} | {on} |")
  return "\n".join(lines) + "\n"


def made_files():
  """{path: content} of everything that follows from the sources."""
  files = {
    "deploy/kubernetes/components/strimzi/topics.yaml": strimzi_topics(),
    "deploy/kubernetes/components/strimzi/users.yaml": strimzi_users(),
    "deploy/kubernetes/components/monitoring/rules.yaml": prometheus_rule(),
    "deploy/kafka-rights.tsv": rights_file(),
  }
  page = PROJECT / "docs/operations.md"
  if page.exists():
    text = page.read_text(encoding="utf-8")
    start, end = "<!-- rights: made by make deploy-files -->\n", "<!-- rights end -->"
    if start in text:
      files["docs/operations.md"] = text[: text.index(start)] + start + rights_table() + text[text.index(end):]
  return files


if __name__ == "__main__":
  for path, content in made_files().items():
    if not (PROJECT / path).exists() or read(path) != content:
      (PROJECT / path).write_text(content, encoding="utf-8")
      print(f"wrote {path}")
