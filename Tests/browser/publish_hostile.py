"""Publishes the records that mean harm, as the stages would: publish_hostile.py BROKER"""

import json
import sys

import confluent_kafka
import records


def channel_details(channel):
    named = ["title", "description", "customUrl", "publishedAt", "country", "fetchedAt"]
    uploads = "UU" + channel["id"][2:]
    return {
        "requestId": "hostile",
        "channelId": channel["id"],
        "uploadsPlaylistId": uploads,
        "resolvedBy": "id",
        **{name: channel[name] for name in named},
        "thumbnail": channel["thumbnail"]["url"],
        "thumbnails": {"default": channel["thumbnail"]},
        "statistics": {name: channel[name] for name in ["viewCount", "subscriberCount", "videoCount"]},
        "options": {"scope": "details"},
    }


def video_record(video):
    statistics = ["viewCount", "likeCount", "commentCount"]
    own = [name for name in video if name not in (*statistics, "id", "thumbnail")]
    return {
        **{name: video[name] for name in own},
        "videoId": video["id"],
        "url": f"https://www.youtube.com/watch?v={video['id']}",
        "thumbnail": video["thumbnail"]["url"],
        "thumbnails": {"default": video["thumbnail"], "medium": video["thumbnail"]},
        "statistics": {name: video[name] for name in statistics},
    }


def publish(broker):
    channel, videos = records.hostile()
    failed = []
    producer = confluent_kafka.Producer({"bootstrap.servers": broker})
    tell = lambda error, message: failed.append(error) if error else None
    producer.produce("channel-details", key=channel["id"], value=json.dumps(channel_details(channel)), on_delivery=tell)
    for video in videos:
        producer.produce("video-records", key=video["id"], value=json.dumps(video_record(video)), on_delivery=tell)
    left = producer.flush(30)
    if left or failed:
        raise SystemExit(f"not published: {left}, {failed}")


if __name__ == "__main__":
    publish(sys.argv[1])
