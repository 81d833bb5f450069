"""What the double of the catalogue knows, and who may change it."""

import datetime
import queue
import threading

import records
from double_basics import STAGES, Refusal
from double_lists import Lists
from double_pipeline import Pipeline
from double_requests import Requests

__all__ = ["Refusal", "State"]


class State(Lists, Requests, Pipeline):
    def __init__(self, read_only=False, token=None, empty=False, with_hostile=False, seconds_per_page=0.08):
        self.lock = threading.RLock()
        self.read_only, self.token, self.pause = read_only, token, seconds_per_page
        self.channels, self.videos, self.likes, self.requests, self.found, self.events = {}, {}, {}, {}, {}, []
        self.listeners, self.samples, self.left = set(), [], {"default": 9_412, "search": 93, "batchGetStats": 10_000}
        self.host, self.problems, self.spent, self.exhausted, self.waits = "harvester", [], {}, set(), {}
        self.letter = {
            "id": "videos-3-1042",
            "stage": "videos",
            "key": "UUhostile",
            "code": "invalidMessage",
            "message": "The message is not a PlaylistPage: items is missing. " + records.HOSTILE["image"],
            "failedAt": records.moment(records.NOW - datetime.timedelta(minutes=9)),
            "origin": "playlist-pages",
        }
        self.rates, self.timer = dict.fromkeys(STAGES, 0.0), threading.Event()
        if not empty:
            for name, handle, description in records.CHANNELS[1:]:
                self.add(records.channel(name, handle, description), 60)
        if with_hostile:
            owner, harmful = records.hostile()
            self.channels[owner["id"]] = owner
            self.videos.update((video["id"], video) for video in harmful)
        self.past_hour()
        threading.Thread(target=self.tick, daemon=True).start()

    def add(self, channel, total):
        self.channels[channel["id"]] = channel
        self.videos.update((video["id"], video) for video in records.videos(channel, total))

    def listen(self):
        inbox = queue.Queue(1000)
        with self.lock:
            self.listeners.add(inbox)
        return inbox

    def forget(self, inbox):
        with self.lock:
            self.listeners.discard(inbox)

    def tell(self, kind, data):
        with self.lock:
            for inbox in self.listeners:
                if not inbox.full():
                    inbox.put((kind, data))

    def session(self, cookie):
        open_now = self.token is None or "tubeline_session=open" in cookie
        return {
            "writable": not self.read_only and open_now,
            "readOnly": self.read_only,
            "needsToken": self.token is not None and not open_now,
        }

    def open_session(self, body):
        if body.get("token") != self.token:
            raise Refusal(401, "unauthorized", "That is not the token.")
        return {"writable": not self.read_only, "readOnly": self.read_only, "needsToken": False}

    def must_be_writable(self, cookie):
        session = self.session(cookie)
        if session["readOnly"]:
            raise Refusal(403, "readOnly", "This catalogue is read-only.")
        if not session["writable"]:
            raise Refusal(401, "unauthorized", "A token is needed.")
