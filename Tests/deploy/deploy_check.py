"""make deploy-check: what lies in deploy/ against schemas, against Prometheus, and against the sources."""

import re
import subprocess

import compose
import kubernetes
import prometheus
import sources
import systemd
from checks import Checks


def lines(script):
  return subprocess.run([sources.PROJECT / script], check=True, stdout=subprocess.PIPE, text=True).stdout.split()


def settings():
  """{table: names}: `Setting.worker` and `Setting.catalog` in the sources."""
  text = "".join(sources.read(f"Sources/WorkerApp/Settings/{name}.swift") for name in ("Setting", "Setting+Catalog"))
  names = dict(re.findall(r'static let (\w+) = Setting\(\s*"([A-Z_]+)"', text))
  found = {}
  for table, rows in re.findall(r"static let (worker|catalog): \[Setting\] =\s*\[([^\]]*)\]", text):
    found[table] = {names[row] for row in re.findall(r"\w+", rows)}
  assert found.keys() == {"worker", "catalog"}, "the tables of settings are not understood"
  return found


def main():
  checks = Checks()
  known = {
    "executables": lines("scripts/executables"), "version": lines("scripts/version")[0], "settings": settings(), "queries": [],
    "scaled": [f"tubeline-{stage}" for stage, *_ in sources.flow()],
    "grace": int(re.search(r'"SHUTDOWN_GRACE", default: "(\d+)s"', sources.read("Sources/WorkerApp/Settings/Setting.swift"))[1]),
  }
  for path, content in sources.made_files().items():
    there = (sources.PROJECT / path).exists() and sources.read(path) == content
    checks.expect(there, f"{path} is not what the sources say: make deploy-files")
  compose.check(checks, known)
  kubernetes.check(checks, known)
  prometheus.check(checks, known)
  systemd.check(checks, known)
  checks.end()


if __name__ == "__main__":
  main()
