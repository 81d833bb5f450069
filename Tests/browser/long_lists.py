"""A playlist of 5,000 videos is sorted and filtered whole; of a longer one the page says where it stopped."""

import catalogue_double
import records
from browser import Browser
from journey import expect

MOST = 5_000


def long_lists(viewport, shots):
    server, state = catalogue_double.start(empty=True)
    owner = records.channel("Long lists", "@longlists", "A channel with a playlist of everything.")
    videos = [records.video(owner, number, MOST + 100) for number in range(MOST + 100)]
    gone = {MOST - 1, MOST + 1}
    for number, video in enumerate(videos):
        video["availability"] = "deleted" if number in gone else "public"
    with state.lock:
        state.channels[owner["id"]] = owner
        state.videos.update((video["id"], video) for video in videos)
        for key, length in [("whole", MOST), ("longer", MOST + 100)]:
            state.found[key] = [video["id"] for video in videos[:length]]
            at = records.moment(records.NOW)
            state.requests[key] = {
                "id": key, "kind": "search", "state": "completed", "active": False, "reference": key, "pages": 1, "videos": length,
                "unavailable": 0, "failedPages": 0, "units": 1, "searches": 1, "begunAt": at, "updatedAt": at,
            }  # fmt: skip
    last = videos[MOST - 1]["id"]
    with Browser(f"http://127.0.0.1:{server.server_address[1]}", viewport, shots) as browser:
        for key, end in [("whole", ""), ("longer", "1 video of the first 5,000. The list is longer")]:
            browser.go(f"#/searches/{key}?type=videos&filter=unavailable")
            browser.one(f".video-card[data-id='{last}']", seconds=60)
            expect(end in browser.text(".feed-end") and bool(browser.text(".feed-end")) == bool(end), browser.text(".feed-end"))
            browser.go(f"#/watch/{last}?list=search&requestId={key}&filter=unavailable")
            browser.one(".neighbour.none", "The list ends here." if key == "whole" else "The list is too long to know it.", seconds=60)
        browser.shot("long-list")
    server.stop()
