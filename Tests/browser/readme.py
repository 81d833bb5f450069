"""Takes the two pictures of the README, of a catalogue that runs on made-up data, with painted thumbnails: readme.py URL [docs/images]"""

import base64
import pathlib
import sys
import tempfile

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


def take(url, folder):
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, Browser(url, "desktop", scratch, painter=pictures.start(scratch)) as browser:
        browser.go("#/channels")
        for reference, title in [("@Google", "Google"), ("@Microsoft", "Microsoft"), ("@Apple", "Apple")]:
            browser.type("#add", reference, Keys.ENTER)
            browser.one(".request-card", title)
        browser.go("#/pipeline")
        browser.scheme("dark")
        browser.wait("messages that flow", lambda: len(browser.all(".pipe:is(.slow, .steady, .fast)")) > 1 and browser.all(".event:nth-child(4)"), 60)
        keep(browser, folder / "pipeline.webp")
        browser.scheme("light")
        browser.go("#/channels")
        browser.press(".channel-card .cover-link", "Google")
        browser.one(".channel-head", "1,636 videos", 120)
        browser.one(".video-card[data-id]")
        browser.run("document.querySelectorAll('.video-card .like-button')[1].click()")
        browser.one(".channel-head", "1 liked")
        shows_pictures(browser)
        keep(browser, folder / "channel.webp")


if __name__ == "__main__":
    take(sys.argv[1], pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "docs/images"))
