"""A stub, a broker and workers as processes, for checks of what is deployed."""

import json
import os
import signal
import socket
import subprocess
import time
import urllib.request

STAGES = ("channels", "playlists", "videos")


def free_port():
  with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    return probe.getsockname()[1]


def fetch(url, method="GET", body=None):
  request = urllib.request.Request(url, method=method, data=None if body is None else json.dumps(body).encode())
  request.add_header("Content-Type", "application/json")
  with urllib.request.urlopen(request, timeout=10) as answer:
    text = answer.read()
  return json.loads(text) if text.startswith((b"{", b"[")) else text.decode()


class World:
  """Everything runs in a folder of its own, and ends with `stop`."""

  def __init__(self, binaries, folder):
    self.binaries, self.folder, self.processes = binaries.resolve(), folder, {}
    self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "XDG_STATE_HOME": str(folder), "YOUTUBE_API_KEY": "any"}

  def start(self, name, *command, **environment):
    log = open(self.folder / f"{name}.log", "ab")
    self.processes[name] = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env=self.environment | environment)
    return self.processes[name]

  def first_line(self, name, *command):
    return self.start(name, *command).stdout.readline().decode().strip()

  def start_stub(self, *options, units=1_000_000):
    self.stub = self.first_line("stub", self.binaries / "youtube-stub", "--port", "0", *options)
    fetch(f"{self.stub}/stub/quota", "POST", {"default": units, "search": 100})
    self.environment |= {"YOUTUBE_API_URL": self.stub, "QUOTA_STORE": f"sqlite://{self.folder}/quota.db", "QUOTA_DAILY_UNITS": str(units)}

  def start_broker(self):
    """The embedded one, which has no transactions."""
    servers = self.first_line("broker", self.binaries / "tubeline", "broker")
    self.environment |= {"KAFKA_BOOTSTRAP_SERVERS": servers, "WORKER_GUARANTEE": "at-least-once", "KAFKA_SESSION_TIMEOUT_MS": "6000"}

  def tubeline(self, *words):
    done = subprocess.run([self.binaries / "tubeline", *words], env=self.environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"tubeline {words}: {done.stderr}"
    return done.stdout

  def wait(self, holds, what, limit=90, pause=0.2):
    """Until it holds: whoever is asked tells nobody when it saw something."""
    begin = time.monotonic()
    while not (found := holds()):
      assert time.monotonic() - begin < limit, f"{what}: not within {limit} s"
      for name, process in self.processes.items():
        assert process.poll() is None, f"{name} ended with {process.returncode}: {(self.folder / f'{name}.log').read_text()[-2000:]}"
      time.sleep(pause)
    return found

  def end(self, name, with_signal=signal.SIGTERM):
    process = self.processes.pop(name)
    process.send_signal(with_signal)
    process.wait(40)

  def stop(self):
    for name in list(self.processes):
      process = self.processes[name]
      try:
        self.end(name)
      except subprocess.TimeoutExpired:
        process.kill()
