"""YouTube has said that the day's searches are used up, although the ledger has counted 72 of 100: what the page says about it."""

import datetime

import catalogue_double
import records
from browser import Browser
from journey import expect

ZONE, AHEAD = "Asia/Kolkata", datetime.timedelta(hours=5, minutes=30)


def quota_gone(viewport, shots):
    server, state = catalogue_double.start()
    state.left["search"], state.spent["search"] = 0, 72
    state.exhausted.add("search")
    state.waits["search"] = "waits for quota (search, exhaustedByAPI) until 2099-12-01T08:00Z"
    state.waits["channels"] = "STOPPED: Give the workers a key that YouTube takes."
    reset = records.NOW.replace(second=0) + datetime.timedelta(hours=7)
    state.waits["videos"] = f"waits for quota (default, pacing) until {reset:%Y-%m-%dT%H:%M}Z; waits for quota (batchGetStats)"
    at = records.moment(records.NOW)
    for key, kind in [("asked", "search"), ("other", "channel")]:
        state.requests[key] = {
            "id": key, "kind": kind, "state": "waiting", "active": True, "reference": f"{kind} of trains", "pages": 0, "videos": 0,
            "unavailable": 0, "failedPages": 0, "units": 0, "searches": 0, "begunAt": at, "updatedAt": at,
        }  # fmt: skip
    with Browser(f"http://127.0.0.1:{server.server_address[1]}", viewport, shots, width=360 if viewport == "phone" else None) as browser:
        browser.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ZONE})
        draws_what_is_left(browser, state)
        says_what_a_stage_waits_for(browser, reset)
        says_what_a_request_waits_for(browser, state)
    server.stop()


def draws_what_is_left(browser, state):
    browser.go("#/pipeline")
    browser.one(".gauge[data-bucket=search]", "0 of 100 left")
    drawn = lambda bucket: browser.run("return document.querySelector(arguments[0])?.getAttribute('stroke-dasharray')", f"{bucket} .gauge-run")
    expect(drawn(".gauge[data-bucket=search]") is None, f"nothing is left, and the gauge draws {drawn('.gauge[data-bucket=search]')}")
    units = drawn(".gauge[data-bucket=default]")
    expect(units.startswith("94.12 "), f"9,412 of 10,000 units are left, and the gauge draws {units}")


def says_what_a_stage_waits_for(browser, reset):
    reason = lambda stage: browser.one(f".stage-card[data-stage={stage}] .stage-reason").text
    expect(reason("search") == "YouTube says that today’s searches are used up. It goes on at 1 Dec 2099, 13:30.", reason("search"))
    at = f"{reset + AHEAD:%H:%M}"
    expect(reason("videos") == f"Today’s units are spread over the day. It goes on at {at}. Waits for batch statistics.", reason("videos"))
    expect(reason("channels") == "Give the workers a key that YouTube takes.", reason("channels"))
    browser.one(".stage-card.bad[data-stage=channels] .pill", "Stopped")
    browser.one(".asked-line", "Waits for quota")
    browser.shot("quota-gone-pipeline")


def says_what_a_request_waits_for(browser, state):
    browser.go("#/channels")
    reset = datetime.datetime.fromisoformat(state.quota()["search"]["resetsAt"]) + AHEAD
    times = [f"{reset + datetime.timedelta(minutes=late):%H:%M}" for late in (-1, 0)]
    card = browser.one(".request-card[data-id=asked]", "Waits for quota").text
    expect(any(f"Today’s searches are used up. It can go on at {time}." in card for time in times), f"the card says: {card}")
    other = browser.one(".request-card[data-id=other]").text
    expect("Waiting" in other and "quota" not in other, f"a channel's card says: {other}")
    browser.shot("quota-gone-cards")
    # The day is over, and the sample of the pipeline says so.
    state.left["search"] = 100
    browser.wait("nothing lacks", lambda: "Waits for quota" not in browser.text(".request-card[data-id=asked]"))
    state.left["default"] = 0
    browser.wait("units lack", lambda: "Today’s units are used up" in browser.text(".request-card[data-id=other]"))
    expect("Waits for quota" not in browser.text(".request-card[data-id=asked]"), "a search waits for units")
