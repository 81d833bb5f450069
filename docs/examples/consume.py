"""Keeps an exact copy of video-records in SQLite: rows and offsets in one transaction.

Usage: consume.py BOOTSTRAP_SERVERS DATABASE [--until-end]
"""

import json
import re
import sqlite3
import sys

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, KafkaException, TopicPartition

TOPIC = "video-records"
# RFC 3339 in UTC with three digits, so that texts compare as times do.
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")


def main(servers: str, path: str, until_end: bool) -> None:
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("CREATE TABLE IF NOT EXISTS video (id TEXT PRIMARY KEY, fetched_at TEXT NOT NULL, record TEXT NOT NULL)")
    database.execute("CREATE TABLE IF NOT EXISTS position (partition INTEGER PRIMARY KEY, next INTEGER NOT NULL)")
    consumer = Consumer({
        "bootstrap.servers": servers, "group.id": "video-copy", "isolation.level": "read_committed",
        "enable.auto.commit": False, "auto.offset.reset": "earliest", "enable.partition.eof": True,
    })
    # All partitions, from where this database is: the group's offsets are not asked.
    partitions = consumer.list_topics(TOPIC, timeout=10).topics[TOPIC].partitions
    known = dict(database.execute("SELECT partition, next FROM position"))
    consumer.assign([TopicPartition(TOPIC, number, known.get(number, OFFSET_BEGINNING)) for number in partitions])
    ended: set[int] = set()
    while not (until_end and ended == set(partitions)):
        messages = consumer.consume(500, timeout=1.0)
        database.execute("BEGIN IMMEDIATE")
        for message in messages:
            if message.error():
                if message.error().code() != KafkaError._PARTITION_EOF:
                    raise KafkaException(message.error())
                ended.add(message.partition())
                continue
            try:
                store(database, message.key(), message.value())
            except BadRecord as error:
                # Say so and go on, or the copy ends here for ever.
                print(f"left out {message.partition()}/{message.offset()}, key {message.key()!r}: {error}", file=sys.stderr)
            database.execute("INSERT OR REPLACE INTO position VALUES (?, ?)", (message.partition(), message.offset() + 1))
        database.execute("COMMIT")
    consumer.close()
    print(database.execute("SELECT count(*) FROM video").fetchone()[0], "videos")


class BadRecord(Exception):
    """Not what the topic promises."""


def store(database: sqlite3.Connection, key: bytes | None, value: bytes | None) -> None:
    try:
        name = (key or b"").decode()
        record = None if value is None else json.loads(value.decode())
    except (ValueError, RecursionError) as error:
        raise BadRecord(str(error)) from error
    if not name:
        raise BadRecord("no key")
    if value is None:
        database.execute("DELETE FROM video WHERE id = ?", (name,))
        return
    if not isinstance(record, dict) or record.get("videoId") != name:
        raise BadRecord("the key is not its videoId")
    fetched = record.get("fetchedAt")
    if not isinstance(fetched, str) or not TIME.fullmatch(fetched):
        raise BadRecord("fetchedAt is no time")
    database.execute(
        "INSERT INTO video VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET fetched_at = excluded.fetched_at, "
        "record = excluded.record WHERE excluded.fetched_at >= video.fetched_at", (name, fetched, value.decode()))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], "--until-end" in sys.argv)
