"""The lists of the double: channels and videos, sorted, filtered, paged, searched."""

import base64

from double_basics import Refusal, moment, now

SUMMARY = [
    "id",
    "title",
    "channelId",
    "channelTitle",
    "publishedAt",
    "durationSeconds",
    "viewCount",
    "availability",
    "embeddable",
    "liveBroadcastContent",
    "thumbnail",
    "fetchedAt",
]
ORDERS = {
    "newest": ("publishedAt", True),
    "oldest": ("publishedAt", False),
    "longest": ("durationSeconds", True),
    "shortest": ("durationSeconds", False),
    "mostViewed": ("viewCount", True),
}


class Lists:
    def catalogue(self, _=None):
        return {
            "version": "double",
            "channels": len(self.channels),
            "videos": len(self.videos),
            "liked": len(self.likes),
            "retentionDays": 29,
            "consuming": "live",
            "behind": 0,
        }

    def page(self, items, parameters, name, make):
        cursor = parameters.get("cursor")
        begin = int(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))) if cursor else 0
        end = begin + int(parameters.get("limit", 50))
        result = {name: [make(item) for item in items[begin:end]]}
        if end < len(items):
            result["next"] = base64.urlsafe_b64encode(str(end).encode()).decode().rstrip("=")
        return result

    def channel_summary(self, channel):
        own = [video for video in self.videos.values() if video["channelId"] == channel["id"]]
        gone = sum(video["availability"] in ("private", "deleted") for video in own)
        return {**channel, "videos": len(own), "unavailable": gone, "liked": sum(video["id"] in self.likes for video in own)}

    def video_summary(self, video):
        result = {name: video[name] for name in SUMMARY if name in video}
        result.update(url=f"https://www.youtube.com/watch?v={video['id']}", liked=video["id"] in self.likes)
        if video["id"] in self.likes:
            result["likedAt"] = self.likes[video["id"]]
        return result

    def channel_list(self, parameters):
        with self.lock:
            channels = [self.channel_summary(channel) for channel in self.channels.values()]
        if parameters.get("q"):
            channels = [channel for channel in channels if matches(parameters["q"], channel)]
        key = {"videos": lambda channel: -channel["videos"], "fetched": lambda channel: channel["fetchedAt"]}.get(
            parameters.get("sort"), lambda channel: channel["title"].lower()
        )
        return self.page(sorted(channels, key=key), parameters, "channels", lambda channel: channel)

    def channel(self, key, _):
        with self.lock:
            if key not in self.channels:
                raise Refusal(404, "notFound", "There is no such channel.")
            summary = self.channel_summary(self.channels[key])
            mine = [request for request in self.requests.values() if request.get("channelId") == key]
            return {
                **summary,
                "url": f"https://www.youtube.com/channel/{key}",
                "uploadsPlaylistId": "UU" + key[2:],
                **({"request": mine[-1]} if mine else {}),
            }

    def chosen(self, videos, parameters, sort="newest"):
        kind, least, most = (
            parameters.get("filter", "all"),
            int(parameters.get("minDuration", 0)),
            int(parameters.get("maxDuration", 10**9)),
        )
        after, before = parameters.get("publishedAfter", ""), parameters.get("publishedBefore", "~")
        result = [
            video
            for video in videos
            if (kind != "liked" or video["id"] in self.likes)
            and (kind != "unavailable" or video["availability"] in ("private", "deleted"))
            and after <= video.get("publishedAt", "") < before
            and (not ("minDuration" in parameters or "maxDuration" in parameters) or least <= video.get("durationSeconds", -1) <= most)
        ]
        name, down = ORDERS.get(parameters.get("sort", sort), (None, False))
        if name:
            known = sorted((video for video in result if name in video), key=lambda video: video[name], reverse=down)
            result = known + [video for video in result if name not in video]
        return result

    def channel_videos(self, key, parameters):
        with self.lock:
            if key not in self.channels:
                raise Refusal(404, "notFound", "There is no such channel.")
            own = self.chosen([video for video in self.videos.values() if video["channelId"] == key], parameters)
            return self.page(own, parameters, "videos", self.video_summary)

    def all_videos(self, parameters):
        with self.lock:
            return self.page(self.chosen(list(self.videos.values()), parameters), parameters, "videos", self.video_summary)

    def search(self, parameters):
        kind = parameters.get("type", "videos")
        with self.lock:
            if kind == "channels":
                found = [self.channel_summary(channel) for channel in self.channels.values() if matches(parameters["q"], channel)]
                page = self.page(found, parameters, "channels", lambda channel: channel)
            else:
                found = [video for video in self.videos.values() if matches(parameters["q"], video)]
                page = self.page(found, parameters, "videos", self.video_summary)
        return {"type": kind, "query": parameters["q"], "matches": min(1000, len(found)), "complete": len(found) <= 1000, **page}

    def found_videos(self, key, parameters):
        with self.lock:
            videos = [self.videos[one] for one in self.found.get(key, []) if one in self.videos]
            return self.page(videos, parameters, "videos", self.video_summary)

    def found_channels(self, key, parameters):
        with self.lock:
            channels = [self.channel_summary(self.channels[one]) for one in self.found.get(key, []) if one in self.channels]
        return self.page(channels, parameters, "channels", lambda channel: channel)

    def video(self, key, parameters):
        with self.lock:
            if key not in self.videos:
                raise Refusal(404, "notFound", "There is no such video.")
            if parameters.get("list", "channel") not in ("channel", "catalogue", "search"):
                raise Refusal(400, "badRequest", "list must be one of channel, catalogue, search.", "list")
            video = self.videos[key]
            playback = {"private": "private", "deleted": "deleted"}.get(
                video["availability"], "playable" if video.get("embeddable") else "notEmbeddable"
            )
            result = {**video, **self.video_summary(video), "playback": playback}
            if playback == "playable":
                result["embedUrl"] = f"https://www.youtube-nocookie.com/embed/{key}"
            if parameters.get("list") in ("channel", "catalogue"):
                pool = [one for one in self.videos.values() if parameters["list"] == "catalogue" or one["channelId"] == video["channelId"]]
                row = self.chosen(pool, parameters)
                at = next((index for index, one in enumerate(row) if one["id"] == key), None)
                if at:
                    result["previous"] = self.video_summary(row[at - 1])
                if at is not None and at + 1 < len(row):
                    result["next"] = self.video_summary(row[at + 1])
        return result

    def like(self, key, _):
        with self.lock:
            self.likes.setdefault(key, moment(now()))
            return {"videoId": key, "liked": True, "likedAt": self.likes[key]}

    def unlike(self, key, _):
        with self.lock:
            self.likes.pop(key, None)
        return {"videoId": key, "liked": False}


def matches(query, record):
    text = " ".join(str(record.get(name, "")) for name in ("title", "description", "customUrl")).lower()
    return all(word in text for word in query.lower().split())
