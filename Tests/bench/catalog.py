"""Measures tubeline-catalog on a million generated videos: lists, deep pages, full-text search, and memory.

The rows are written by SQL into a database that the catalogue itself has made, as its store would write them.
"""

import argparse
import http.client
import json
import os
import random
import signal
import sqlite3
import statistics
import subprocess
import tempfile
import time
import urllib.parse

WORDS = [a + b for a in "kafka swift music news learn cook train ocean city guitar robot space garden history video".split()
         for b in ["", "s", "ing", "er", "land", "time", "work", "ly", "box", "way"]]
# A word of every record, one of a hundredth, and some of few.
RARE = [f"rare{n}" for n in range(2000)]


def fill(path: str, videos: int, channels: int) -> None:
    random.seed(1)
    now = int(time.time() * 1000)
    fetched = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(now // 1000))
    db = sqlite3.connect(path)
    db.execute("PRAGMA synchronous = OFF")
    with db:
        for n in range(1, channels + 1):
            title = f"Channel {n} {random.choice(WORDS)}"
            record = json.dumps({"channelId": f"UC{n:022}", "title": title, "description": "", "customUrl": f"@c{n}", "fetchedAt": fetched})
            db.execute("INSERT INTO channel (n, channel_id, title_key, fetched, videos) VALUES (?, ?, ?, ?, ?)",
                       (n, f"UC{n:022}", title.lower(), now, videos // channels))
            db.execute("INSERT INTO channel_record VALUES (?, ?)", (n, record.encode()))
            db.execute("INSERT INTO channel_text (rowid, title, description, handle) VALUES (?, ?, '', ?)", (n, title, f"@c{n}"))
    for first in range(0, videos, 20_000):
        rows, records, texts = [], [], []
        for n in range(first + 1, min(first + 20_000, videos) + 1):
            title = " ".join(random.choices(WORDS, k=6)) + (f" {random.choice(RARE)}" if n % 20 == 0 else "") + (" percent" if n % 100 == 0 else "")
            description = "common " + " ".join(random.choices(WORDS, k=40))
            published = 1_200_000_000 + random.randrange(500_000_000)
            views, seconds, channel = random.randrange(10_000_000), random.randrange(10, 7200), n % channels + 1
            video = f"v{n:010}"
            record = json.dumps({
                "videoId": video, "url": f"https://www.youtube.com/watch?v={video}", "channelId": f"UC{channel:022}", "title": title,
                "description": description, "publishedAt": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(published)),
                "availability": "public", "durationSeconds": seconds, "statistics": {"viewCount": views},
                "thumbnails": {"default": {"url": f"https://i.ytimg.com/vi/{video}/default.jpg", "width": 120, "height": 90}},
                "source": "uploads", "requestId": "r", "fetchedAt": fetched})
            rows.append((n, video, channel, published, seconds, views, 0, 0, now))
            records.append((n, record.encode()))
            texts.append((n, title, description))
        with db:
            db.executemany("INSERT INTO video VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
            db.executemany("INSERT INTO video_record VALUES (?, ?)", records)
            db.executemany("INSERT INTO video_title (rowid, title) VALUES (?, ?)", [text[:2] for text in texts])
            db.executemany("INSERT INTO video_text (rowid, title, description) VALUES (?, ?, ?)", texts)
    with db:
        db.execute("INSERT OR REPLACE INTO counter VALUES ('videos', ?), ('channels', ?)", (videos, channels))
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


class Catalogue:
    def __init__(self, binary: str, path: str):
        # No broker is there: the catalogue serves what it has.
        environment = {**os.environ, "CATALOG_DATABASE": path, "HTTP_PORT": "0", "KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:9",
                       "LOG_LEVEL": "error", "QUOTA_STORE": f"sqlite://{path}.quota"}
        self.process = subprocess.Popen([binary], env=environment, stdout=subprocess.PIPE, text=True)
        address = urllib.parse.urlparse(self.process.stdout.readline().strip())
        self.connection = http.client.HTTPConnection(address.hostname, address.port)

    def get(self, target: str) -> dict:
        self.connection.request("GET", target)
        answer = self.connection.getresponse()
        body = answer.read()
        assert answer.status == 200, (target, body)
        return json.loads(body)

    def memory(self) -> tuple[float, float]:
        """Resident and, of it, anonymous megabytes."""
        lines = open(f"/proc/{self.process.pid}/status").read().splitlines()
        values = {line.split(":")[0]: line.split()[1] for line in lines if ":" in line and len(line.split()) > 1}
        return int(values["VmHWM"]) / 1024, int(values["RssAnon"]) / 1024

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(20) == 0


def deep_cursor(catalogue: Catalogue, path: str, page: int, size: int) -> str:
    """The cursor of a page: that of an early one, with the place of a late one in it, found by counting."""
    import base64
    first = catalogue.get(f"/api/videos?limit={size}")["next"]
    raw = bytearray(base64.urlsafe_b64decode(first + "=" * (-len(first) % 4)))
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    key, n = db.execute("SELECT published, n FROM video ORDER BY published DESC, n DESC LIMIT 1 OFFSET ?", ((page - 1) * size - 1,)).fetchone()
    db.close()
    raw[10:18], raw[18:26] = key.to_bytes(8, "big", signed=True), n.to_bytes(8, "big", signed=True)
    return base64.urlsafe_b64encode(bytes(raw)).decode().rstrip("=")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", default=".build/release")
    parser.add_argument("--videos", type=int, default=1_000_000)
    parser.add_argument("--channels", type=int, default=1000)
    parser.add_argument("--database", help="keep the database here, and use it again")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.database or f"{folder}/catalog.db"
        if not os.path.exists(path):
            Catalogue(f"{options.bin}/tubeline-catalog", path).stop()
            begin = time.monotonic()
            fill(path, options.videos, options.channels)
            print(f"{options.videos:,} videos written in {time.monotonic() - begin:.0f} s, {os.path.getsize(path) / 1e9:.2f} GB")
        catalogue = Catalogue(f"{options.bin}/tubeline-catalog", path)
        pages = options.videos // 50
        deep = min(10_000, pages // 2)
        channel = f"UC{7:022}"
        targets = [
            ("first page", "/api/videos"), (f"page {deep:,} by cursor", f"/api/videos?cursor={deep_cursor(catalogue, path, deep, 50)}"),
            ("first page, most viewed", "/api/videos?sort=mostViewed"), ("a channel's first page", f"/api/channels/{channel}/videos"),
            ("a channel's, 1 to 2 minutes", f"/api/channels/{channel}/videos?minDuration=60&maxDuration=120"),
            ("list of channels", "/api/channels"), ("a video with neighbours", "/api/videos/v0000500000?list=channel" if options.videos > 500_000 else "/api/videos/v0000000010?list=channel"),
            ("search: rare word", "/api/search?q=rare77"), ("search: two words", "/api/search?q=guitar+rare7"),
            ("search: 1 % of titles", "/api/search?q=percent"), ("search: frequent word", "/api/search?q=kafka"),
            ("search: in every description", "/api/search?q=common"), ("search: two frequent", "/api/search?q=kafka+swift"),
            ("search: as one types", "/api/search?q=ka"), ("search: word and beginning", "/api/search?q=kafka+sw"),
            ("search: phrase", "/api/search?q=%22kafka+swift%22"), ("search: rare phrase", "/api/search?q=%22kafka+swift+music%22"),
            ("search: phrase of no record", "/api/search?q=%22kafka+common%22"),
            ("search: word of no record", "/api/search?q=nothinghasit"), ("search: and a frequent word", "/api/search?q=kafka+nothinghasit"),
            ("search of channels", "/api/search?type=channels&q=channel+77"),
        ]
        print(f"{'':32}{'median ms':>10}{'p95 ms':>10}")
        for name, target in targets:
            for _ in range(3):
                catalogue.get(target)
            times = []
            for _ in range(40):
                begin = time.perf_counter()
                catalogue.get(target)
                times.append((time.perf_counter() - begin) * 1000)
            times.sort()
            print(f"{name:32}{statistics.median(times):>10.2f}{times[37]:>10.2f}")
        resident, anonymous = catalogue.memory()
        print(f"memory: {resident:.0f} MB resident at most, {anonymous:.0f} MB of it not of files")
        catalogue.stop()


if __name__ == "__main__":
    main()
