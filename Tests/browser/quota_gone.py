"""YouTube has said that the day's searches are used up, although the ledger has counted 72 of 100: what the page says about it."""

import datetime
import re

import catalogue_double
import records
from browser import Browser
from journey import expect

ZONE, AHEAD = "Asia/Kolkata", datetime.timedelta(hours=5, minutes=30)


def quota_gone(viewport, shots):
    server, state = catalogue_double.start()
    state.left["search"], state.spent["search"] = 0, 72
    state.exhausted.add("search")
    with Browser(f"http://127.0.0.1:{server.server_address[1]}", viewport, shots, width=360 if viewport == "phone" else None) as browser:
        browser.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ZONE})
        draws_what_is_left(browser, state)
    server.stop()


def draws_what_is_left(browser, state):
    browser.go("#/pipeline")
    browser.one(".gauge[data-bucket=search]", "0 of 100 left")
    drawn = lambda bucket: browser.run("return document.querySelector(arguments[0])?.getAttribute('stroke-dasharray')", f"{bucket} .gauge-run")
    expect(drawn(".gauge[data-bucket=search]") is None, f"nothing is left, and the gauge draws {drawn('.gauge[data-bucket=search]')}")
    units = drawn(".gauge[data-bucket=default]")
    expect(units.startswith("94.12 "), f"9,412 of 10,000 units are left, and the gauge draws {units}")
