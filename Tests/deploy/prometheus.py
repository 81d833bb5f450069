"""Alert rules, runbooks and dashboards: every query can be read by Prometheus, and names metrics that exist."""

import json
import re
import subprocess
import tempfile

import yaml

from sources import PROJECT, read

NAME = re.compile(r"\b(?:tubeline|process)_[a-z0-9_]+|\btubeline:[a-z_:]+")


def metrics():
  """{name} of docs/metrics.md, which a test compares with what a worker serves; histograms with their series."""
  names = set()
  for name, kind in re.findall(r"^\| `((?:tubeline|process)_\w+)` \| (\w+) \|", read("docs/metrics.md"), re.M):
    names |= {name} if kind != "histogram" else {f"{name}_bucket", f"{name}_sum", f"{name}_count"}
  return names


def rules():
  return [rule for group in yaml.safe_load(read("deploy/prometheus/alerts.yml"))["groups"] for rule in group["rules"]]


def check_alerts(checks, known):
  runbooks, tested = read("docs/runbooks.md"), yaml.safe_load(read("deploy/prometheus/alerts.test.yml"))["tests"]
  fires = {case["alertname"] for test in tested for case in test.get("alert_rule_test", []) if case["exp_alerts"]}
  alerts = [rule for rule in rules() if "alert" in rule]
  for rule in alerts:
    name = rule["alert"]
    checks.expect(name in fires, f"no test in which {name} fires")
    checks.expect(rule["annotations"]["runbook"] == f"docs/runbooks.md#{name.lower()}", f"{name}: its runbook's address")
    checks.expect(f"\n## {name}\n" in runbooks, f"docs/runbooks.md has no {name}")
  sections = set(re.findall(r"^## (Tubeline\w+)$", runbooks, re.M))
  checks.expect(sections == {rule["alert"] for rule in alerts}, "docs/runbooks.md has alerts that are none")
  known["queries"] += [(f"rule {rule.get('alert') or rule['record']}", rule["expr"]) for rule in rules()]
  checks.say(f"alerts: {len(alerts)}, each with a test and a runbook")


def panels(dashboard):
  for panel in dashboard["panels"]:
    yield panel
    yield from panel.get("panels", [])


def check_dashboards(checks, known):
  identities, count = set(), 0
  for path in sorted((PROJECT / "deploy/grafana/dashboards").glob("*.json")):
    dashboard = json.loads(path.read_text(encoding="utf-8"))
    identities.add(dashboard["uid"])
    variables = {variable["name"] for variable in dashboard["templating"]["list"]}
    known["queries"] += [(f"{path.name}, variable", variable["query"]["query"]) for variable in dashboard["templating"]["list"]]
    places = [tuple(panel["gridPos"].values()) for panel in panels(dashboard)]
    checks.expect(len(places) == len(set(places)), f"{path.name}: two panels in one place")
    for panel in panels(dashboard):
      for target in panel.get("targets", []):
        count += 1
        unknown = set(re.findall(r"\$(\w+)", target["expr"])) - variables - {"__rate_interval", "__range"}
        checks.expect(not unknown, f"{path.name}: {panel['title']}: variables that are not there: {unknown}")
        known["queries"].append((f"{path.name}: {panel['title']}", target["expr"]))
      if panel["type"] != "row":
        checks.expect(panel["datasource"]["uid"] == "prometheus", f"{path.name}: {panel['title']}: another data source")
  checks.expect(len(identities) == len(list((PROJECT / "deploy/grafana/dashboards").glob("*.json"))), "two dashboards with one uid")
  checks.say(f"dashboards: {len(identities)} with {count} queries")


def check_queries(checks, known):
  """Their names, and by Prometheus itself their syntax."""
  names = metrics() | {rule["record"] for rule in rules() if "record" in rule}
  plain = []
  for where, query in known["queries"]:
    for name in NAME.findall(query):
      checks.expect(name in names, f"{where}: no metric {name}")
    query = re.sub(r"label_values\((.*), *\w+\)", r"\1", query)
    plain.append({"record": f"query:{len(plain)}", "expr": re.sub(r"\$\w+", lambda match: "5m" if "range" in match[0] or "interval" in match[0] else "x", query)})
  with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
    yaml.safe_dump({"groups": [{"name": "queries", "rules": plain}]}, file)
    file.flush()
    done = subprocess.run(["promtool", "check", "rules", "--lint=none", file.name], capture_output=True, text=True)
  checks.expect(done.returncode == 0, f"Prometheus cannot read a query: {done.stderr}")
  checks.say(f"queries: {len(plain)}, of {len(names)} metrics")


def check(checks, known):
  check_alerts(checks, known)
  check_dashboards(checks, known)
  check_queries(checks, known)
