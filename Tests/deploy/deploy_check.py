"""make deploy-check: what lies in deploy/ against schemas, against Prometheus, and against the sources."""

import re
import subprocess

import compose
import kubernetes
import prometheus
import sources
from checks import Checks


def lines(script):
  return subprocess.run([sources.PROJECT / script], check=True, stdout=subprocess.PIPE, text=True).stdout.split()


def settings():
  """The names of every setting in the sources."""
  found = set()
  for path in (sources.PROJECT / "Sources").rglob("*.swift"):
    found |= set(re.findall(r'Setting\(\s*"([A-Z_]+)"', path.read_text(encoding="utf-8")))
  return found


# Started by Compose and on Kubernetes already, while they are being built.
AWAITED = {"tubeline-search", "tubeline-catalog"}


def main():
  checks = Checks()
  known = {
    "executables": lines("scripts/executables"), "version": lines("scripts/version")[0], "settings": settings(), "queries": [],
    "grace": int(re.search(r'"SHUTDOWN_GRACE", default: "(\d+)s"', sources.read("Sources/WorkerApp/Settings/Setting.swift"))[1]),
  }
  for name in sorted(AWAITED - set(known["executables"])):
    checks.say(f"AWAITED: Package.swift has no product {name} yet")
    known["executables"].append(name)
    known["settings"] |= {"CATALOG_READ_ONLY", "CATALOG_TOKEN"}
  for path, content in sources.made_files().items():
    there = (sources.PROJECT / path).exists() and sources.read(path) == content
    checks.expect(there, f"{path} is not what the sources say: make deploy-files")
  compose.check(checks, known)
  kubernetes.check(checks, known)
  prometheus.check(checks, known)
  checks.end()


if __name__ == "__main__":
  main()
