"""The alert rules against the real thing: workers harvest, a real Prometheus scrapes them, something fails, the expected alert fires, the
fault is mended, and the alert resolves. Minutes in the rules are seconds here; nothing else is changed.

  alerts.py --bin .build/release
"""

import argparse
import re
import signal
import subprocess
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import yaml

from sources import read
from world import STAGES, World, fetch, free_port


def say(text):
  print(f"alerts-check: {text}", flush=True)


def shortened(text):
  """The rules with a second for each minute, and a minute for each hour."""
  units = {"m": "s", "h": "m"}
  return re.sub(r"(\[|offset |for: )(\d+)([mh])\b", lambda match: match[1] + match[2] + units[match[3]], text)


class WatchedWorld(World):
  """Its workers are scraped by a Prometheus."""

  def start_all(self):
    self.ports = {stage: free_port() for stage in STAGES}
    self.prometheus = f"http://127.0.0.1:{free_port()}"
    self.start_stub("--channels", "400", "--videos", "120", "--latency", "20ms")
    self.start_broker()
    self.environment |= {"RETRY_DELAY": "1s", "RETRY_STOPPED_DELAY": "1s", "BREAKER_DELAY": "1s", "METRICS_INTERVAL": "1s", "LOG_FORMAT": "json"}
    for stage in STAGES:
      self.start_worker(stage)
    self.start_prometheus()

  def start_worker(self, stage):
    self.start(stage, self.binaries / f"tubeline-{stage}", HTTP_PORT=str(self.ports[stage]))

  def start_prometheus(self):
    (self.folder / "alerts.yml").write_text(shortened(read("deploy/prometheus/alerts.yml")), encoding="utf-8")
    configuration = {
      "global": {"scrape_interval": "1s", "evaluation_interval": "1s"}, "rule_files": ["alerts.yml"],
      "scrape_configs": [{"job_name": "tubeline", "static_configs": [{"targets": [f"127.0.0.1:{port}" for port in self.ports.values()]}]}],
    }
    (self.folder / "prometheus.yml").write_text(yaml.safe_dump(configuration), encoding="utf-8")
    self.start("prometheus", "prometheus", f"--config.file={self.folder}/prometheus.yml", f"--storage.tsdb.path={self.folder}/tsdb",
               f"--web.listen-address={self.prometheus.removeprefix('http://')}", "--log.level=warn")

  def firing(self):
    """{(alert, stage)}; empty while Prometheus does not answer yet."""
    try:
      alerts = fetch(f"{self.prometheus}/api/v1/alerts")["data"]["alerts"]
    except OSError:
      return set()
    return {(alert["labels"]["alertname"], alert["labels"].get("stage", "")) for alert in alerts if alert["state"] == "firing"}

  def metric(self, query):
    try:
      found = fetch(f"{self.prometheus}/api/v1/query?query={urllib.request.quote(query)}")["data"]["result"]
    except OSError:
      return None
    return float(found[0]["value"][1]) if found else None


class Faults:
  def __init__(self, world):
    self.world, self.channels = world, iter(range(400))

  def publish(self, count=5):
    self.world.tubeline("publish", *(f"@stub-channel-{next(self.channels)}" for _ in range(count)))

  def fault(self, **what):
    fetch(f"{self.world.stub}/stub/faults", "POST", {"match": {}, "count": -1} | what)

  def mend(self):
    fetch(f"{self.world.stub}/stub/faults", "DELETE")

  @contextmanager
  def expected(self, alert, stage=""):
    """The fault is made before, and mended in the body."""
    begin = time.monotonic()
    fires = lambda: (alert, stage) in self.world.firing()
    self.world.wait(fires, f"{alert} fires")
    fired = time.monotonic()
    yield
    self.world.wait(lambda: not fires(), f"{alert} resolves")
    say(f"{alert} {stage}: fired after {fired - begin:.0f} s, resolved {time.monotonic() - fired:.0f} s after it was mended")

  def dead_letters(self):
    servers = self.world.environment["KAFKA_BOOTSTRAP_SERVERS"]
    subprocess.run(["kcat", "-P", "-b", servers, "-t", "channel-requests"], input=b"{broken\n", check=True, timeout=30)
    with self.expected("TubelineDeadLetters", "channels"):
      pass

  def key_refused(self):
    self.fault(status=403, reason="accessNotConfigured")
    self.publish()
    with self.expected("TubelineKeyInvalid", "channels"):
      self.mend()

  def outage(self):
    self.fault(status=503, reason="backendError")
    self.publish(20)
    with self.expected("TubelineBreakerOpen", "channels"):
      self.mend()

  def worker_lost(self):
    self.world.end("videos", signal.SIGKILL)
    with self.expected("TubelineStageWithoutWorkers", "videos"):
      self.world.start_worker("videos")

  def quota_drift(self):
    self.fault(status=403, reason="quotaExceeded", count=1)
    self.publish()
    with self.expected("TubelineQuotaDrift"):
      self.world.tubeline("quota", "clear", "default")


def main():
  parser = argparse.ArgumentParser()
  parser.add_argument("--bin", type=Path, required=True)
  options = parser.parse_args()
  with tempfile.TemporaryDirectory(prefix="tubeline-alerts-") as folder:
    world = WatchedWorld(options.bin, Path(folder))
    try:
      world.start_all()
      faults = Faults(world)
      faults.publish(20)
      world.wait(lambda: (world.metric("sum(tubeline_video_records_produced_total)") or 0) > 0, "records flow")
      quiet = world.firing()
      assert not quiet, f"alerts fire although all is well: {quiet}"
      say("records flow, and no alert fires")
      for fault in (faults.dead_letters, faults.key_refused, faults.outage, faults.worker_lost, faults.quota_drift):
        fault()
      world.wait(lambda: world.metric("sum(tubeline:lag_messages:sum)") == 0, "everything that waited is done")
      say("after all faults nothing waits any more")
    finally:
      world.stop()
  print("5 passed, 0 failed")


if __name__ == "__main__":
  main()
