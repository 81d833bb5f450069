#!/usr/bin/env python3
"""Harvests a million videos with one process of each stage, and prints the memory of every process at the start, the middle and the end.

    soak.py --bin .build/release [--channels 200] [--videos 5000]

Nothing may be missing or doubled in the file, and no worker may grow: at the end each may need a quarter more than at the start, and
16 MB. tubeline is the broker, too, which keeps the last 5 MB of each of its partitions: it grows until they are full. The API is
youtube-stub without latency.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

WORKERS = ["tubeline-channels", "tubeline-playlists", "tubeline-videos"]
NAMES = ["tubeline", *WORKERS]
MOST_OF_BROKER = 300


def status(pid):
    return pathlib.Path(f"/proc/{pid}/status").read_text()


def resident_megabytes(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", status(pid)).group(1)) / 1024


def processes(harvest):
    """The harvest and the workers that it started, by name."""
    found = {"tubeline": harvest}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            name = os.path.basename(os.readlink(entry / "exe"))
            if name in NAMES and f"PPid:\t{harvest}\n" in status(entry.name):
                found[name] = int(entry.name)
        except OSError:
            continue
    return found


def sample(label, harvest, output, began):
    memory = {name: resident_megabytes(pid) for name, pid in processes(harvest).items()}
    cells = "".join(f"{memory.get(name, float('nan')):>20.0f}" for name in NAMES)
    print(f"{label:<8}{output.stat().st_size / 1e6:>10.0f}{time.monotonic() - began:>9.0f}{cells}", flush=True)
    return memory


def check(output, truth):
    seen, lines, units = {}, 0, 0
    with open(output) as file:
        for line in file:
            record = json.loads(line)
            seen.setdefault(record["playlistId"], set()).add(record["videoId"])
            lines += 1
    for channel in truth:
        units += 1 + 2 * -(-channel["listed"] // 50)
        if len(seen.get(channel["uploadsPlaylistId"], ())) != channel["listed"]:
            sys.exit(f"{channel['handle']}: {len(seen.get(channel['channelId'], ()))} of {channel['listed']} videos")
    expected = sum(channel["listed"] for channel in truth)
    if lines != expected:
        sys.exit(f"{lines} lines for {expected} videos")
    return lines, units


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", default=".build/release")
    parser.add_argument("--channels", type=int, default=200)
    parser.add_argument("--videos", type=int, default=5000)
    options = parser.parse_args()
    binaries = pathlib.Path(options.bin).resolve()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tubeline-soak-"))
    output = folder / "videos.jsonl"
    stub = subprocess.Popen(
        [binaries / "youtube-stub", "--channels", str(options.channels), "--videos", str(options.videos), "--quota-default", "1000000"],
        stdout=subprocess.PIPE, text=True)
    harvest = None
    try:
        api = stub.stdout.readline().strip()
        get = lambda path: json.load(urllib.request.urlopen(f"{api}/stub/{path}", timeout=60))
        truth = [channel for channel in get("channels") if channel.get("handle", "").startswith("@stub-channel-")]
        names = folder / "names"
        names.write_text("".join(f"{channel['handle']}\n" for channel in truth))
        environment = {**os.environ, "YOUTUBE_API_URL": api, "YOUTUBE_API_KEY": "soak", "QUOTA_DAILY_UNITS": "1000000",
                       "QUOTA_STORE": f"sqlite://{folder}/quota.db", "XDG_STATE_HOME": str(folder)}
        print(f"{'':<8}{'MB out':>10}{'seconds':>9}" + "".join(f"{name + ' MB':>20}" for name in NAMES))
        began = time.monotonic()
        log = open(folder / "log", "w")
        harvest = subprocess.Popen(
            [binaries / "tubeline", "harvest", "--from", names, "--output", output], env=environment, stderr=log)
        expected = sum(channel["listed"] for channel in truth)
        least, samples = expected * 2 / 50 + len(truth), {}
        # By the calls that the API has answered; the first tenth is for buffers to fill.
        points = [("start", 0.1), ("middle", 0.5), ("end", 0.97)]
        while harvest.poll() is None:
            done = get("statistics")["units"]["default"] / least
            while points and done >= points[0][1]:
                label = points.pop(0)[0]
                samples[label] = sample(label, harvest.pid, output, began)
            time.sleep(0.2)
        if harvest.returncode != 0:
            sys.exit(f"harvest ended with {harvest.returncode}\n" + (folder / "log").read_text()[-3000:])
        seconds = time.monotonic() - began
        lines, units = check(output, truth)
        spent = get("statistics")["units"]["default"]
        print(f"{lines:,} videos of {len(truth)} channels, each once, in {seconds:.0f} s; {spent:,} units, {units:,} are the fewest")
        grown = [name for name in WORKERS if samples["end"][name] > samples["start"][name] * 1.25 + 16]
        if samples["end"]["tubeline"] > MOST_OF_BROKER:
            grown.append("tubeline")
        if grown:
            sys.exit(f"grown: {', '.join(grown)}")
        if spent != units:
            sys.exit("more units than needed")
    finally:
        for process in filter(None, [harvest, stub]):
            process.kill()
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
