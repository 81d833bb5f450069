"""Many requests of others are under way: what a page is about stays in sight."""

import catalogue_double
import records
from browser import Browser
from journey import expect


def many_requests(viewport, shots):
    server, state = catalogue_double.start()
    at = records.moment(records.NOW)
    for number in range(20):
        key = f"busy-{number}"
        state.requests[key] = {
            "id": key, "kind": "channel", "state": "running", "active": True, "reference": f"@busy{number}", "pages": 1, "videos": 50,
            "unavailable": 0, "failedPages": 0, "units": 2, "searches": 0, "begunAt": at, "updatedAt": at,
        }  # fmt: skip
    with Browser(f"http://127.0.0.1:{server.server_address[1]}", viewport, shots) as browser:
        browser.go("#/channels")
        browser.one(".more-requests", "and 14 more requests")
        cards = lambda: len(browser.all(".request-card"))
        expect(cards() == 6, f"there are {cards()} cards of 20 requests")
        browser.shot("many-requests")
        browser.go("#/videos?q=train")
        browser.one("main", "in the catalogue")
        expect(cards() == 0, f"{cards()} cards of others stand before what was searched for")
        browser.go("#/channels")
        for key in list(state.requests)[:15]:
            state.requests[key].update(active=False, state="completed")
            state.tell("request", state.requests[key])
        browser.wait("five are left", lambda: not browser.all(".more-requests") and cards() == 5)
    server.stop()
