"""Takes the two pictures of the README, with made-up data and painted thumbnails: readme.py [docs/images]"""

import base64
import pathlib
import sys
import tempfile

import catalogue_double
import pictures
from browser import Browser
from selenium.webdriver.common.keys import Keys


def keep(browser, path):
    browser.settle()
    shot = browser.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "webp", "quality": 82})
    path.write_bytes(base64.b64decode(shot["data"]))
    print(f"{path}: {path.stat().st_size // 1024} kB")


def shows_pictures(browser):
    """All thumbnails of the window are there: the policy lets YouTube's picture hosts through."""
    browser.wait(
        "the thumbnails of the window",
        lambda: browser.run(
            """
            const seen = [...document.querySelectorAll(".still img, .portrait img")].filter((one) => one.getBoundingClientRect().top < innerHeight);
            return seen.length > 0 && seen.every((one) => one.classList.contains("loaded") && getComputedStyle(one).opacity === "1");
        """
        ),
    )


def take(folder):
    folder.mkdir(parents=True, exist_ok=True)
    server, state = catalogue_double.start(seconds_per_page=0.25)
    with tempfile.TemporaryDirectory() as scratch:
        with Browser(f"http://127.0.0.1:{server.server_address[1]}", "desktop", scratch, painter=pictures.start(scratch)) as browser:
            browser.go("#/channels")
            browser.type("#add", "@Google", Keys.ENTER)
            browser.one(".request-card", "Google")
            browser.go("#/pipeline")
            browser.scheme("dark")
            browser.wait("messages that flow", lambda: browser.all(".pipe.steady, .pipe.fast") and browser.all(".event:nth-child(4)"))
            keep(browser, folder / "pipeline.webp")
            browser.scheme("light")
            owner = next(channel["id"] for channel in state.channels.values() if channel["title"] == "Google")
            browser.wait("all videos", lambda: state.requests["page-1"]["state"] == "completed", 60)
            browser.go(f"#/channels/{owner}")
            browser.one(".video-card[data-id]")
            browser.run("document.querySelectorAll('.video-card .like-button')[1].click()")
            browser.one(".channel-head", "1 liked")
            shows_pictures(browser)
            keep(browser, folder / "channel.webp")
    server.stop()


if __name__ == "__main__":
    take(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images"))
