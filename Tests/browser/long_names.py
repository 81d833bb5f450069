"""Names as long as they come, with spaces and without: every view is as wide as its window, and what does not fit is cut off with dots."""

import datetime

import catalogue_double
import records
from browser import Browser

WIDTHS = {"phone": 360, "desktop": 1400}
NAMES = {
    "words": "The complete illustrated history of all the railways of the northern provinces, told by their drivers",
    "word": "Donaudampfschifffahrtsgesellschaftskapitaen" * 3,
    "hebrew": "ערוץ המדע והחינוך של האוניברסיטה העברית בירושלים: הרצאות, סרטים וניסויים לכל המשפחה ולכולם",
    "unending": "Word after word " * 37 + "end of it",
    "wide": "W" * 600,
}


def long_names(viewport, shots):
    server, state = catalogue_double.start(empty=True)
    for name in NAMES.values():
        owner = records.channel(name, "@" + name.replace(" ", "")[:100], name)
        state.channels[owner["id"]] = owner
        state.videos.update((video["id"], {**video, "title": name}) for video in records.videos(owner, 3))
    ask(state)
    with Browser(f"http://127.0.0.1:{server.server_address[1]}", viewport, shots, width=WIDTHS[viewport]) as browser:
        for label, name in NAMES.items():
            owner = next(one["id"] for one in state.channels.values() if one["title"] == name)
            video = next(one["id"] for one in state.videos.values() if one["channelId"] == owner)
            for view, ready in [
                (f"#/watch/{video}?list=channel", ".watch-title"),
                (f"#/channels/{owner}", ".video-card[data-id]"),
                (f"#/searches/{label}?type=videos", ".video-card[data-id]"),
                (f"#/searches/{label}?type=channels", ".channel-card .card-title"),
            ]:
                looks_at(browser, view, ready)
            if label in ("words", "hebrew"):
                looks_at(browser, f"#/watch/{video}?list=channel", ".watch-title")
                browser.shot(f"long-{label}", whole=True)
        for view, ready in [
            ("#/channels", ".channel-card .card-title"),
            ("#/videos", ".video-card[data-id]"),
            ("#/channels?q=word", ".offer"),
            (f"#/videos?q={NAMES['wide']}", ".offer"),
            ("#/pipeline", ".event-words"),
        ]:
            looks_at(browser, view, ready)
        # In one go: the next sample draws them anew.
        browser.run("for (const one of document.querySelectorAll('.workers')) one.open = true")
        browser.shot("long-pipeline", whole=True)
    server.stop()


def looks_at(browser, view, ready):
    browser.go(view)
    browser.driver.refresh()
    browser.one(ready)
    browser.wait("what loads", lambda: not browser.all("main .outline"))
    browser.layout(view, whole=True)


def ask(state):
    """Requests, events and a worker whose names are as long."""
    for number, (label, name) in enumerate(NAMES.items()):
        at = records.moment(records.NOW - datetime.timedelta(minutes=number))
        state.requests[label] = {
            "id": label, "kind": "search" if number % 2 else "channel", "state": "running", "active": True, "reference": name, "pages": 3,
            "videos": 123, "unavailable": 4, "expected": 1200, "failedPages": 1, "units": 12, "searches": 0, "begunAt": at, "updatedAt": at,
        }  # fmt: skip
        state.found[label] = [*state.videos, *state.channels]
        state.event(label, "page", "videos", title=name, pageNumber=1, records=50)
    state.host = NAMES["wide"]
    state.problems = list(NAMES.values())
    state.letter.update(id=f"videos-3-{10**15}", key=NAMES["wide"], message=NAMES["word"])
