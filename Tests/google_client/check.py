#!/usr/bin/env python3
"""Google's own client against youtube-stub: it pages everything, raises its HttpError with the right reasons, and every answer
validates against the discovery document that it ships.

    Tests/google_client/check.py --stub .build/release/youtube-stub [--recordings DIR]
"""
import argparse
import json
import pathlib
import signal
import subprocess
import sys

import requests
from googleapiclient import discovery, discovery_cache
from googleapiclient.errors import HttpError

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from schema import Validator  # noqa: E402

DOCUMENT = json.loads((pathlib.Path(discovery_cache.__file__).parent / "documents" / "youtube.v3.json").read_text())
PARTS = {
    "channels": "id,snippet,contentDetails,statistics,status,topicDetails,brandingSettings,contentOwnerDetails",
    "playlistItems": "id,snippet,contentDetails,status",
    "videos": "id,snippet,contentDetails,status,statistics,player,topicDetails,recordingDetails,liveStreamingDetails,localizations,"
    "paidProductPlacementDetails",
    "playlists": "id,snippet,status,contentDetails,player",
    "search": "id,snippet",
}
SCHEMAS = {name: DOCUMENT["resources"][name]["methods"]["list"]["response"]["$ref"] for name in PARTS}


def must(truth, sentence):
    if not truth:
        raise SystemExit(f"FAILED: {sentence}")


class Stub:
    def __init__(self, binary, *arguments):
        self.process = subprocess.Popen([binary, "--port", "0", "--quota-default", "100000", *arguments], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        must(self.address.startswith("http://"), f"the first line is an address, not {self.address!r}")

    def control(self, verb, path, body=None):
        answer = requests.request(verb, f"{self.address}/stub/{path}", json=body, timeout=30)
        must(answer.status_code in (200, 204), f"{verb} /stub/{path}: {answer.status_code} {answer.text}")
        return answer.json() if answer.content else None

    def client(self, key="a-good-key"):
        return discovery.build("youtube", "v3", developerKey=key, static_discovery=True, client_options={"api_endpoint": self.address})

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        must(self.process.wait(20) == 0, f"SIGTERM ends with {self.process.returncode}")


class Pager:
    """Pages through lists with the client's own list_next, validating every answer."""

    def __init__(self, client):
        self.client, self.validator = client, Validator(DOCUMENT)

    def answers(self, resource, limit=1000, **parameters):
        collection = getattr(self.client, resource)()
        request = collection.list(part=PARTS[resource], **parameters)
        while request is not None and limit:
            answer = request.execute()
            self.validator.check(SCHEMAS[resource], answer)
            yield answer
            request, limit = collection.list_next(request, answer), limit - 1

    def items(self, resource, **parameters):
        return [item for answer in self.answers(resource, **parameters) for item in answer.get("items", [])]


def check_channel(pager, truth):
    channel = pager.items("channels", id=truth["channelId"])[0]
    must(channel["snippet"]["title"] == truth["title"], f"{channel['snippet']['title']} is not {truth['title']}")
    for filter_name, field in (("forHandle", "handle"), ("forUsername", "username")):
        if field in truth:
            must(pager.items("channels", **{filter_name: truth[field]})[0]["id"] == truth["channelId"], f"{filter_name} {truth[field]}")
    if truth["videos"] == 0:
        return
    items = pager.items("playlistItems", playlistId=truth["uploadsPlaylistId"], maxResults=50)
    must(len(items) == truth["listed"], f"{len(items)} of {truth['listed']} items of {truth['title']}")
    ids = [item["contentDetails"]["videoId"] for item in items]
    must(len(set(ids)) == len(ids), "an item came twice")
    must([item["snippet"]["position"] for item in items] == list(range(len(items))), "positions have gaps")
    if truth["listed"] > 2000:
        ids = ids[:500] + ids[-500:]
    videos = [video for start in range(0, len(ids), 50) for video in pager.items("videos", id=",".join(ids[start : start + 50]))]
    if len(ids) == truth["listed"]:
        must(len(videos) == truth["available"], f"{len(videos)} of {truth['available']} videos of {truth['title']}")
    for playlist in pager.items("playlists", channelId=truth["channelId"], maxResults=50):
        entries = pager.items("playlistItems", playlistId=playlist["id"], maxResults=50)
        must(len(entries) == playlist["contentDetails"]["itemCount"], f"{len(entries)} entries of {playlist['id']}")


def check_searches(pager, truth):
    for parameters in ({"q": "google"}, {"q": "river", "type": "video", "order": "date"}, {"type": "channel", "q": "apple"},
                       {"type": "playlist", "q": "microsoft"}, {"channelId": truth["channelId"], "type": "video", "order": "date"},
                       {"q": "x", "type": "video", "eventType": "live"}, {"q": "x", "publishedAfter": "2026-01-01T00:00:00Z"}):
        answers = list(pager.answers("search", maxResults=50, **parameters))
        found = [tuple(sorted(item["id"].items())) for answer in answers for item in answer.get("items", [])]
        must(found and len(set(found)) == len(found), f"search {parameters}: {len(found)} results, {len(set(found))} different")
        must(len(found) <= 500, "search lists at most 500")


def expect(reason, status, call):
    try:
        call().execute()
    except HttpError as error:
        # The client's own error_details shows details or errors, never both; its content has everything.
        content = json.loads(error.content)["error"]
        reasons = {entry.get("reason") for entry in content["errors"] + content.get("details", [])}
        must(error.resp.status == status and reason in reasons, f"{reason}: {error.resp.status} {content}")
        return
    raise SystemExit(f"FAILED: no HttpError for {reason}")


def check_errors(stub):
    client = stub.client()
    channels, items, videos, search = client.channels(), client.playlistItems(), client.videos(), client.search()
    expect("playlistNotFound", 404, lambda: items.list(part="snippet", playlistId="UUaaaaaaaaaaaaaaaaaaaaaa"))
    expect("unknownPart", 400, lambda: items.list(part="snippets", playlistId="UUK8sQmJBp8GCxrOtXWBpyEA"))
    expect("missingRequiredParameter", 400, lambda: channels.list(part="snippet"))
    expect("incompatibleParameters", 400, lambda: channels.list(part="snippet", id="x", forHandle="y"))
    expect("invalidFilters", 400, lambda: videos.list(part="snippet", id=",".join(f"id-{n}" for n in range(51))))
    expect("invalidPageToken", 400, lambda: items.list(part="snippet", playlistId="UUK8sQmJBp8GCxrOtXWBpyEA", pageToken="nonsense"))
    expect("invalidParameter", 400, lambda: items.list(part="snippet", playlistId="UUK8sQmJBp8GCxrOtXWBpyEA", maxResults=51))
    expect("invalidParameter", 400, lambda: items.list(part="snippet", playlistId="UUK8sQmJBp8GCxrOtXWBpyEA", fields="items(nonsense)"))
    expect("invalidSearchFilter", 400, lambda: search.list(part="snippet", q="x", eventType="live"))
    expect("authorizationRequired", 401, lambda: channels.list(part="snippet", mine=True))
    for key, reason, status in (("invalid-key", "API_KEY_INVALID", 400), ("disabled-key", "SERVICE_DISABLED", 403),
                                ("referrer-key", "API_KEY_HTTP_REFERRER_BLOCKED", 403)):
        expect(reason, status, lambda: stub.client(key).channels().list(part="snippet", forHandle="Google"))
    stub.control("POST", "quota", {"default": 0, "search": 0})
    expect("quotaExceeded", 403, lambda: channels.list(part="snippet", forHandle="Google"))
    expect("RATE_LIMIT_EXCEEDED", 429, lambda: search.list(part="snippet", q="x"))
    stub.control("POST", "quota", {"default": 100000, "search": 1000})
    stub.control("POST", "faults", {"match": {"method": "channels.list"}, "status": 503, "reason": "backendError"})
    expect("backendError", 503, lambda: channels.list(part="snippet", forHandle="Google"))
    must(client.channels().list(part="snippet", forHandle="Google").execute()["items"], "a fault struck twice")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stub", required=True, help="the youtube-stub executable")
    parser.add_argument("--recordings", help="also check the answers made of this folder of recordings")
    options = parser.parse_args()
    stub = Stub(options.stub, "--channels", "3", "--videos", "70", "--quota-search", "1000")
    pager = Pager(stub.client())
    truths = stub.control("GET", "channels")
    for truth in truths:
        check_channel(pager, truth)
    check_searches(pager, truths[1])
    list(pager.answers("videos", chart="mostPopular", maxResults=50))
    must("items" not in next(pager.answers("channels", id="UCaaaaaaaaaaaaaaaaaaaaaa")), "nothing found has no items key")
    check_errors(stub)
    stub.stop()
    if options.recordings:
        check_recordings(options)
    print(f"google_client: {len(truths)} channels, {pager.validator.checked} answers valid (document {DOCUMENT['revision']})")


def check_recordings(options):
    stub = Stub(options.stub, "--recordings", options.recordings)
    items = Pager(stub.client()).client.playlistItems()
    request, count = items.list(part="snippet", playlistId="PLpjK416fmKwQlQ0KvTWFmXZZa3d4IO2ro", maxResults=50), 0
    while request is not None:
        answer = request.execute()
        count += len(answer["items"])
        request = items.list_next(request, answer)
    must(count == 67, f"{count} of 67 recorded items")
    stub.stop()


if __name__ == "__main__":
    main()
