#!/usr/bin/env python3
"""Measures Tubeline against youtube-stub: records per second, CPU time and memory of each stage and of the whole, units per record,
and ledger reservations per second; beside it a peer in Python (../shared/bench/python_peer.py) on the same stub and broker.

    bench.py --bin .build/release [--channels 10] [--videos 2000] [--peer PATH]

Ratios of one run are what counts: absolute numbers depend on the machine. CPU time is counted from the moment a worker has its
partitions, as the peer counts it from the moment its clients exist.
"""
import argparse
import json
import os
import statistics
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

from confluent_kafka import Consumer, Producer, TopicPartition

STAGES = ["channels", "playlists", "videos"]
TERMINAL = {"completed", "notFound", "failed", "cancelled", "expired", "rejected"}
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def peak_megabytes(pid):
    return int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text()).group(1)) / 1024


class Bench:
    def __init__(self, options):
        self.bin = pathlib.Path(options.bin).resolve()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tubeline-bench-"))
        self.processes = []
        self.api = self.address("youtube-stub", "--port", "0", "--channels", str(options.channels), "--videos", str(options.videos),
                                "--quota-default", "10000000")
        self.truth = [c for c in self.get("channels") if c["listed"] == options.videos][: options.channels]
        if len(self.truth) < options.channels:
            sys.exit(f"the stub has {len(self.truth)} channels of {options.videos} videos, {options.channels} are wanted")
        self.expected = sum(c["listed"] for c in self.truth)

    def address(self, program, *arguments):
        log = open(self.folder / f"{program}.log", "wb")
        process = subprocess.Popen([self.bin / program, *arguments], stdout=subprocess.PIPE, stderr=log, text=True)
        self.processes.append(process)
        return process.stdout.readline().strip()

    def get(self, path):
        return json.load(urllib.request.urlopen(f"{self.api}/stub/{path}", timeout=10))

    def post(self, path):
        urllib.request.urlopen(urllib.request.Request(f"{self.api}/stub/{path}", data=b"{}", method="POST"), timeout=10)

    def worker(self, stage, bootstrap):
        log = open(self.folder / f"{stage}-{len(self.processes)}.log", "wb")
        environment = {**os.environ, "KAFKA_BOOTSTRAP_SERVERS": bootstrap, "YOUTUBE_API_URL": self.api, "YOUTUBE_API_KEY": "bench",
                       "QUOTA_STORE": f"sqlite://{self.folder}/quota.db", "QUOTA_DAILY_UNITS": "10000000", "LOG_FORMAT": "json",
                       "WORKER_GUARANTEE": "at-least-once"}
        process = subprocess.Popen([self.bin / f"tubeline-{stage}"], env=environment, stdout=subprocess.DEVNULL, stderr=log)
        self.processes.append(process)
        deadline = time.monotonic() + 60
        while b"Partitions assigned" not in pathlib.Path(log.name).read_bytes():
            if time.monotonic() > deadline or process.poll() is not None:
                sys.exit(f"{stage} got no partitions; see {log.name}")
            time.sleep(0.05)
        return process

    def stop(self, process):
        process.terminate()
        process.wait(30)
        self.processes.remove(process)

    def close(self):
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def publish(bootstrap, channels):
    producer = Producer({"bootstrap.servers": bootstrap})
    for channel in channels:
        producer.produce("channel-requests", json.dumps({"requestId": f"bench-{channel['channelId']}", "handle": channel["handle"]}).encode())
    producer.flush(15)


def read(bootstrap, topic, enough, timeout=600):
    """Counts messages until enough(message) says so; returns how many and when the last one came."""
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": f"bench-{time.time()}", "auto.offset.reset": "earliest",
                         "enable.auto.commit": False})
    consumer.assign([TopicPartition(topic, p, 0) for p in consumer.list_topics(topic, timeout=10).topics[topic].partitions])
    count, deadline = 0, time.monotonic() + timeout
    while time.monotonic() < deadline:
        for message in consumer.consume(1000, 0.05):
            if not message.error():
                count += 1
                if enough(message, count):
                    consumer.close()
                    return count, time.monotonic()
    sys.exit(f"{topic}: {count} messages after {timeout} s")


def ended(wanted):
    seen = set()

    def enough(message, _):
        event = json.loads(message.value())
        if event["type"] in TERMINAL:
            seen.add(event["requestId"])
        return len(seen) >= wanted
    return enough


def show(name, records, seconds, cpu, memory):
    print(f"{name:<22}{records:>9,}{records / seconds:>14,.0f}{cpu / records * 1e6:>16.1f}{memory:>12.0f}", flush=True)


def whole(bench, options):
    bootstrap = bench.address("tubeline", "broker")
    workers = [bench.worker(stage, bootstrap) for stage in STAGES]
    bench.post("reset")
    before = [cpu_seconds(w.pid) for w in workers]
    began = time.monotonic()
    publish(bootstrap, bench.truth)
    _, finished = read(bootstrap, "request-events", ended(len(bench.truth)))
    cpu = [cpu_seconds(w.pid) - b for w, b in zip(workers, before)]
    memory = [peak_megabytes(w.pid) for w in workers]
    for stage, seconds, megabytes in zip(STAGES, cpu, memory):
        show(f"  {stage}, in the whole", bench.expected, finished - began, seconds, megabytes)
    show("whole, 3 processes", bench.expected, finished - began, sum(cpu), sum(memory))
    units = bench.get("statistics")["units"]["default"]
    for worker in workers:
        bench.stop(worker)
    return sum(cpu) / bench.expected, bench.expected / (finished - began), units / bench.expected


def stages_alone(bench):
    """Each stage with its whole input waiting for it."""
    bootstrap = bench.address("tubeline", "broker")
    publish(bootstrap, bench.truth)
    pages = sum(-(-c["listed"] // 50) for c in bench.truth)
    wanted = {"channels": ("channel-details", len(bench.truth)), "playlists": ("playlist-pages", pages), "videos": ("video-records", bench.expected)}
    for stage, (topic, count) in wanted.items():
        worker = bench.worker(stage, bootstrap)
        before, began = cpu_seconds(worker.pid), time.monotonic()
        _, finished = read(bootstrap, topic, lambda _, seen, count=count: seen >= count)
        show(f"  {stage}, alone", bench.expected, finished - began, cpu_seconds(worker.pid) - before, peak_megabytes(worker.pid))
        bench.stop(worker)


def peer(bench, path):
    bootstrap = bench.address("tubeline", "broker")
    arguments = [sys.executable, path, "--bootstrap", bootstrap, "--api", bench.api, "--expect", str(bench.expected)]
    for channel in bench.truth:
        arguments += ["--channel", channel["handle"]]
    result = json.loads(subprocess.run(arguments, check=True, capture_output=True, text=True, timeout=900).stdout.splitlines()[-1])
    show("peer, 1 process", result["records"], result["seconds"], result["cpuSeconds"], result["residentMB"])
    return result["cpuSeconds"] / result["records"], result["records"] / result["seconds"]


def ledgers(bench):
    hammer = bench.bin / "quota-hammer"
    redis = None
    stores = {"SQLite": f"sqlite://{bench.folder}/hammer.db"}
    if shutil.which("redis-server"):
        socket = bench.folder / "redis.sock"
        redis = subprocess.Popen(["redis-server", "--port", "0", "--unixsocket", str(socket), "--save", "", "--appendonly", "no"],
                                 stdout=subprocess.DEVNULL)
        bench.processes.append(redis)
        while not socket.exists():
            time.sleep(0.02)
        stores["Redis"] = f"unix://{socket}"
    for name, store in stores.items():
        answer = subprocess.run([hammer, *HAMMER, "--store", store], check=True, capture_output=True, text=True, timeout=120).stdout
        print(f"ledger on {name:<12}{json.loads(answer)['perSecond']:>9,.0f} reservations per second, one process")


HAMMER = ["--seconds", "3", "--limit", "50000000"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=".build/release")
    parser.add_argument("--channels", type=int, default=10)
    parser.add_argument("--videos", type=int, default=2000)
    parser.add_argument("--peer", default="../shared/bench/python_peer.py")
    parser.add_argument("--rounds", type=int, default=5, help="how often the whole and the peer are measured, in turns; the median counts")
    options = parser.parse_args()
    bench = Bench(options)
    try:
        print(f"{options.channels} channels of {options.videos:,} videos from youtube-stub, embedded broker\n")
        print(f"{'':<22}{'records':>9}{'records/s':>14}{'CPU µs/record':>16}{'peak MB':>12}")
        stages_alone(bench)
        ledgers(bench)
    finally:
        bench.close()
    compare(options)


def compare(options):
    """In turns, since the CPU time of the same work swings by a third with what else the machine does; each round on a broker of its own."""
    has_peer = os.path.exists(options.peer)
    rounds = []
    for _ in range(options.rounds):
        bench = Bench(options)
        try:
            ours = whole(bench, options)
            rounds.append((ours, peer(bench, options.peer) if has_peer else None))
        finally:
            bench.close()
    median = lambda values: statistics.median(list(values))
    print(f"\nunits per record: {rounds[0][0][2]:.4f}")
    if not has_peer:
        print(f"SKIPPED the peer: {options.peer} is not here.")
        return
    cpu, speed = median(o[0] for o, _ in rounds), median(o[1] for o, _ in rounds)
    peer_cpu, peer_speed = median(p[0] for _, p in rounds), median(p[1] for _, p in rounds)
    print(f"median of {options.rounds} rounds:")
    print(f"CPU per record, Tubeline to peer:     {cpu / peer_cpu:.2f}   (below 1 is better; {cpu * 1e6:.1f} to {peer_cpu * 1e6:.1f} µs)")
    print(f"records per second, Tubeline to peer: {speed / peer_speed:.2f}   (above 1 is better; {speed:,.0f} to {peer_speed:,.0f})")


if __name__ == "__main__":
    main()
