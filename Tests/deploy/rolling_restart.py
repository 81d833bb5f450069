"""A rolling restart of all stages, one process after another, during a harvest of 20,000 videos: nothing is lost, and on a real cluster nothing
comes twice. Prints the longest pause in the flow of records.

  rolling_restart.py --bin .build/release [--kafka HOST:PORT]
"""

import argparse
import collections
import subprocess
import tempfile
import time
import uuid
from pathlib import Path

from world import STAGES, World, fetch, free_port

CHANNELS, VIDEOS = 4, 5000


def say(text):
  print(f"rolling-restart: {text}", flush=True)


class Rolling:
  def __init__(self, world, kafka):
    self.world, self.kafka, self.prefix = world, kafka, ""
    self.workers = {f"{stage}-{number}": (stage, free_port()) for stage in STAGES for number in (1, 2)}

  def start(self):
    self.world.start_stub("--channels", str(CHANNELS), "--videos", str(VIDEOS), "--latency", "900ms")
    if self.kafka:
      self.prefix = f"rolling-{uuid.uuid4().hex[:8]}."
      self.world.environment |= {"KAFKA_BOOTSTRAP_SERVERS": self.kafka, "TOPIC_PREFIX": self.prefix, "KAFKA_SESSION_TIMEOUT_MS": "10000"}
      self.world.tubeline("topics", "create", "--partitions", "4")
    else:
      self.world.start_broker()
    for name in self.workers:
      self.start_worker(name)

  def start_worker(self, name):
    stage, port = self.workers[name]
    self.world.start(name, self.world.binaries / f"tubeline-{stage}", WORKER_ID=name, HTTP_PORT=str(port))

  def partitions(self, name):
    try:
      return fetch(f"http://127.0.0.1:{self.workers[name][1]}/readyz")["partitions"]
    except OSError:
      return 0

  def restart(self, name):
    begin = time.monotonic()
    self.world.end(name)
    self.start_worker(name)
    self.world.wait(lambda: self.partitions(name) > 0, f"{name} has partitions again")
    say(f"{name}: away for {time.monotonic() - begin:.1f} s")

  def records(self):
    """[(videoId, time in ms)], as a reader with read_committed sees them."""
    command = ["kcat", "-C", "-q", "-e", "-b", self.world.environment["KAFKA_BOOTSTRAP_SERVERS"], "-t", f"{self.prefix}video-records", "-o", "beginning",
               "-X", "isolation.level=read_committed", "-f", "%k %T\n"]
    lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=120).stdout.splitlines()
    return [(key, int(when)) for key, when in (line.split() for line in lines)]

  def run(self):
    channels = [channel for channel in fetch(f"{self.world.stub}/stub/channels") if channel.get("handle", "").startswith("@stub-channel-")]
    expected = sum(channel["listed"] for channel in channels)
    self.world.tubeline("publish", *(channel["handle"] for channel in channels))
    self.world.wait(lambda: len(self.records()) > 500, "records flow", pause=1)
    for name in self.workers:
      self.restart(name)
    during = len({key for key, _ in self.records()})
    assert during < expected, "the harvest was over before the last restart"
    say(f"all {len(self.workers)} workers restarted after {during:,} of {expected:,} videos")
    self.world.wait(lambda: len({key for key, _ in self.records()}) >= expected, "every video has a record", limit=240, pause=2)
    self.judge(self.records(), expected)

  def judge(self, records, expected):
    counts = collections.Counter(key for key, _ in records)
    doubled = sum(count - 1 for count in counts.values())
    times = sorted(when for _, when in records)
    pause = max(after - before for before, after in zip(times, times[1:])) / 1000
    say(f"{len(counts):,} videos, {doubled} records twice, longest pause in the flow of records {pause:.1f} s of {(times[-1] - times[0]) / 1000:.0f} s")
    assert len(counts) == expected, "videos are missing, or there are some that should not be"
    assert not (self.kafka and doubled), "records came twice on a cluster with transactions"


def main():
  parser = argparse.ArgumentParser()
  parser.add_argument("--bin", type=Path, required=True)
  parser.add_argument("--kafka", help="a real cluster; the embedded broker otherwise")
  options = parser.parse_args()
  with tempfile.TemporaryDirectory(prefix="tubeline-rolling-") as folder:
    world = World(options.bin, Path(folder))
    try:
      rolling = Rolling(world, options.kafka)
      rolling.start()
      rolling.run()
    finally:
      world.stop()
  print("1 passed, 0 failed")


if __name__ == "__main__":
  main()
