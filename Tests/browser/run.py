"""Drives the catalogue's page in headless Chromium, on a desktop and on a phone, and keeps pictures of what it saw.

run.py                  against the double of the API: the journey, hostile records, rights, troubles, keyboard, accessibility
run.py --url http://…   the journey against a catalogue that runs (see scripts/browser-test)
"""

import argparse
import pathlib
import sys
import time

import catalogue_double
from accessible import accessible
from browser import VIEWPORTS, Browser
from edges import edges
from hostile import hostile
from journey import journey
from long_lists import long_lists
from long_names import long_names
from many_requests import many_requests
from narrow_filters import narrow_filters
from quota_gone import quota_gone
from rights import rights


def against_double(viewport, shots):
    server, _ = catalogue_double.start()
    with Browser(f"http://127.0.0.1:{server.server_address[1]}", viewport, shots) as browser:
        journey(browser)
    server.stop()
    server, _ = catalogue_double.start(with_hostile=True)
    with Browser(f"http://127.0.0.1:{server.server_address[1]}", viewport, shots) as browser:
        hostile(browser)
    server.stop()
    rights(viewport, shots)
    accessible(viewport, shots)
    long_names(viewport, shots)
    long_lists(viewport, shots)
    quota_gone(viewport, shots)
    many_requests(viewport, shots)
    narrow_filters(viewport, shots)
    edges(viewport, shots)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url")
    parser.add_argument("--hostile", action="store_true", help="with --url: what publish_hostile.py has published instead of the journey")
    parser.add_argument("--viewport", choices=list(VIEWPORTS), action="append")
    parser.add_argument("--shots", type=pathlib.Path, default=pathlib.Path(".build/screenshots"))
    options = parser.parse_args()
    for viewport in options.viewport or VIEWPORTS:
        begun = time.monotonic()
        if options.url:
            with Browser(options.url, viewport, options.shots / "real") as browser:
                hostile(browser) if options.hostile else journey(browser)
        else:
            against_double(viewport, options.shots / "double")
        print(f"{viewport}: passed in {time.monotonic() - begun:.0f} s", flush=True)
    print(f"pictures: {options.shots}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
