"""The picture of the double's pipeline: an hour of samples, and one more every two seconds."""

import datetime
import math
import random

import records
from double_basics import STAGES, moment, now


class Pipeline:
    def quota(self, _=None):
        limits = {"default": 10_000, "search": 100, "batchGetStats": 10_000}
        midnight = moment(now() + datetime.timedelta(hours=5, minutes=37))
        buckets = [
            {
                "name": name,
                "unit": "searches" if name == "search" else "units",
                "limit": limit,
                "spent": self.spent.get(name, limit - self.left[name]),
                "left": self.left[name],
                "resetsAt": midnight,
                "exhausted": name in self.exhausted,
            }
            for name, limit in limits.items()
        ]
        return {
            "at": moment(now()),
            "buckets": buckets,
            "search": {
                "cost": {"bucket": "search", "each": 1, "per": "page of 50 results"},
                "left": self.left["search"],
                "resetsAt": midnight,
            },
            "channel": {"cost": {"bucket": "default", "each": 1, "per": "page of 50 videos"}},
        }

    def sample(self, at, rates, records_now, left):
        seed = random.Random(str(at))
        stages = {
            stage: {
                "rate": round(rate, 2),
                "lag": int(rate * seed.uniform(0, 9)),
                "waiting": 2 if stage == "videos" else 0,
                "failed": 1 if stage == "videos" else 0,
                "members": 2 if stage == "videos" else 1,
            }
            for stage, rate in rates.items()
        }
        return {"at": moment(at if isinstance(at, datetime.datetime) else now()), "stages": stages, "left": left, "records": records_now}

    def past_hour(self):
        for step in range(360, 0, -1):
            at = now() - datetime.timedelta(seconds=10 * step)
            wave = max(0.0, math.sin(step / 22)) ** 3
            rates = {
                "search": 0.2 * wave,
                "channels": 3 * max(0.0, math.sin(step / 20)) ** 8,
                "playlists": 9 * wave,
                "videos": 8.4 * max(0.0, math.sin((step + 4) / 22)) ** 3,
            }
            count = int(len(self.videos) * (1 - step / 720))
            sample = self.sample(at, rates, count, {**self.left, "default": self.left["default"] + step})
            self.samples.append(sample)

    def tick(self):
        while not self.timer.wait(2):
            sample = self.sample(now(), self.rates, len(self.videos), dict(self.left))
            with self.lock:
                self.samples = [*self.samples[-400:], sample]
            self.tell("sample", sample)

    @staticmethod
    def state(wait):
        return wait and ("stopped" if wait.startswith("STOPPED") else "waitingForQuota")

    def pipeline(self, _=None):
        with self.lock:
            last = self.samples[-1]
            stages = []
            for stage in STAGES:
                figures, wait = last["stages"][stage], self.waits.get(stage)
                worker = {
                    "stage": stage,
                    "worker": f"{stage}-1@{self.host}",
                    "host": self.host,
                    "version": "1.0.0",
                    "startedAt": moment(records.NOW),
                    "at": moment(now()),
                    "state": self.state(wait) or ("running" if figures["rate"] else "idle"),
                    "reason": wait or "It works.",
                    "partitions": 6,
                    "running": 1,
                    "held": 0,
                    "consumed": 1636,
                    "produced": 3200,
                    "deadLettered": 0,
                }
                stages.append(
                    {
                        "stage": stage,
                        "group": f"tubeline-{stage}",
                        "members": figures["members"],
                        "partitions": 6,
                        "assigned": 6,
                        "state": worker["state"],
                        "reason": worker["reason"],
                        "rate": figures["rate"],
                        "lag": {"records": figures["lag"], "atLeast": False},
                        "waiting": {"records": figures["waiting"], "atLeast": True},
                        "failed": {"records": figures["failed"], "atLeast": False},
                        "workers": [worker],
                    }
                )
            return {
                "at": moment(now()),
                "stages": stages,
                "quota": self.quota()["buckets"],
                "samples": self.samples,
                "sampleSeconds": 10,
                "events": self.events[:50],
                "deadLetters": [self.letter],
                "problems": self.problems,
            }
