"""The requests of the double: each is worked off by a thread, page after page, as the stages do it."""

import math
import threading

import records
from double_basics import STAGES, Refusal, moment, now


class Requests:
    def request_list(self, parameters):
        with self.lock:
            wanted = [
                request
                for request in reversed(self.requests.values())
                if parameters.get("state", "all") == "all" or request["active"] == (parameters["state"] == "active")
            ]
        return self.page(wanted, parameters, "requests", lambda request: request)

    def request(self, key, _):
        with self.lock:
            if key not in self.requests:
                raise Refusal(404, "notFound", "There is no such request.")
            return {**self.requests[key], "events": [event for event in self.events if event["requestId"] == key][:100], "pageFailures": []}

    def create_request(self, body):
        with self.lock:
            key = f"page-{len(self.requests) + 1}"
            search = body.get("search")
            reference = search["query"] if search else body["channel"]
            if not search and (" " in reference or reference == "refused"):
                raise Refusal(422, "unprocessable", "channel: This is for programs.")
            request = {
                "id": key,
                "kind": "search" if search else "channel",
                "state": "waiting",
                "active": True,
                "reference": reference,
                "pages": 0,
                "videos": 0,
                "unavailable": 0,
                "failedPages": 0,
                "units": 0,
                "searches": 0,
                "begunAt": moment(now()),
                "updatedAt": moment(now()),
            }
            if search:
                request["types"] = search.get("type", ["video"])
            self.requests[key] = request
        threading.Thread(target=self.find if search else self.harvest, args=(key, body), daemon=True).start()
        return dict(request)

    def cancel_request(self, key, _):
        return self.change(key, cancelRequestedAt=moment(now()))

    def change(self, key, **changes):
        with self.lock:
            request = {**self.requests[key], **changes, "updatedAt": moment(now())}
            if not request["active"]:
                request.setdefault("endedAt", moment(now()))
            self.requests[key] = request
        self.tell("request", request)
        return request

    def event(self, key, kind, stage, **more):
        event = {"requestId": key, "type": kind, "stage": stage, "at": moment(now()), **more}
        with self.lock:
            self.events.insert(0, event)
        self.tell("event", event)

    def harvest(self, key, body):
        wanted = body["channel"].strip().rstrip("/").split("/")[-1]
        known = next(
            ((name, handle, text) for name, handle, text in records.CHANNELS if wanted in (name, handle, records.channel_id(handle))), None
        )
        self.timer.wait(self.pause * 4)
        if known is None:
            error = {"code": "channelNotFound", "message": f"No channel is called {wanted}."}
            self.change(key, state="notFound", active=False, error=error)
            self.event(key, "notFound", "channels", reference=wanted, error=error)
            return
        channel = records.channel(*known)
        total = 1636 if known[0] == "Google" else 60
        with self.lock:
            self.channels[channel["id"]] = channel
        self.change(key, state="running", title=channel["title"], channelId=channel["id"], units=1, expected=total)
        self.event(key, "resolved", "channels", title=channel["title"], channelId=channel["id"])
        if self.walk(key, channel, total):
            self.change(key, state="completed", active=False)
            self.event(key, "completed", "videos", title=channel["title"], records=total)
        else:
            self.change(key, state="cancelled", active=False)
        self.rates.update(dict.fromkeys(STAGES, 0.0))

    def walk(self, key, channel, total):
        """Page after page; False when the request was cancelled meanwhile."""
        row = records.videos(channel, total)
        for number in range(math.ceil(total / 50)):
            self.timer.wait(self.pause)
            with self.lock:
                for video in row[50 * number : 50 * (number + 1)]:
                    self.videos[video["id"]] = video
                    self.left["default"] -= 0 if video["position"] % 25 else 1
                stopped = "cancelRequestedAt" in self.requests[key]
            done = min(total, 50 * (number + 1))
            self.rates.update(playlists=1 / self.pause, videos=1 / self.pause, channels=0.4)
            self.change(
                key,
                pages=number + 1,
                videos=done,
                units=1 + 2 * (number + 1),
                unavailable=sum(video["availability"] != "public" for video in row[:done]),
            )
            self.event(key, "page", "videos", title=channel["title"], pageNumber=number + 1, records=min(50, total - 50 * number))
            self.tell("catalogue", self.catalogue())
            if stopped:
                return False
        return True

    def find(self, key, body):
        search = body["search"]
        with self.lock:
            self.left["search"] -= 1
        self.timer.wait(self.pause * 6)
        self.change(key, state="running", searches=1)
        owner = records.channel(
            f"All about {search['query']}",
            "@" + records.identifier(search["query"], 12),
            f"A channel that is about {search['query']} and nothing else.",
        )
        self.found[key] = []
        for step in range(3):
            self.timer.wait(self.pause * 3)
            with self.lock:
                if "channel" in search.get("type", ["video"]):
                    one = {**owner, "id": records.channel_id(f"{search['query']}/{step}"), "title": f"{owner['title']} {step + 1}"}
                    self.channels[one["id"]] = one
                    self.found[key].append(one["id"])
                else:
                    self.channels[owner["id"]] = owner
                    for number in range(8 * step, 8 * step + 8):
                        video = records.video(owner, number, 24)
                        video["title"] = f"{search['query']}: {video.get('title', 'a talk')}"
                        video.update(availability="public", embeddable=True, source="search")
                        self.videos[video["id"]] = video
                        self.found[key].append(video["id"])
            self.change(key, pages=step + 1, videos=0 if "channel" in search.get("type", []) else 8 * (step + 1))
            self.tell("catalogue", self.catalogue())
        self.change(key, state="completed", active=False)
        self.event(key, "completed", "search", reference=search["query"], records=24)
