"""Records whose texts mean harm: nothing executes, nothing breaks the layout, nothing else is asked."""

import records
from browser import Failure


def hostile(browser):
    owner, videos = records.hostile()
    browser.go(f"#/channels/{owner['id']}")
    browser.wait(
        "all hostile videos", lambda: browser.run("return document.querySelectorAll('.video-card[data-id]').length") == len(videos)
    )
    shows_as_it_is(browser, "h1", owner["title"])
    browser.shot("hostile-channel", whole=True)
    browser.press(".folded .link-button")
    browser.shot("hostile-channel-unfolded", whole=True)
    for video in videos:
        watches(browser, video)
    for address, name in [("#/channels", "hostile-channels"), ("#/videos", "hostile-videos"), ("#/pipeline", "hostile-pipeline")]:
        browser.go(address)
        browser.one(".channel-card .card-title, .video-card[data-id], .stage-card")
        browser.shot(name, whole=True)
    types_harm(browser)
    follows_harmful_addresses(browser)
    browser.check()


def shows_as_it_is(browser, selector, text):
    found = browser.run("return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)", selector)
    # A NUL cannot be in a DOM's text of markup, but in a text node it can.
    if text not in found:
        raise Failure(f"{selector} shows {found[:3]!r}, not {text!r}")


def watches(browser, video):
    browser.go(f"#/watch/{video['id']}?list=channel")
    browser.wait(
        f"the player of {video['id']}", lambda: browser.run("return document.querySelector('.fact-list code')?.textContent") == video["id"]
    )
    if video["title"].strip():
        shows_as_it_is(browser, ".watch-title", video["title"])
    browser.shot(video["id"], whole=video["id"] in ("hostile-long", "hostile-rightToLeft"))
    picture = browser.run(
        "return [...document.querySelectorAll('img')].map((one) => one.src)"
        ".filter((one) => !/^https:..(i.ytimg.com|yt3.ggpht.com)./.test(one))"
    )
    if picture:
        raise Failure(f"{video['id']}: pictures from {picture}")


def types_harm(browser):
    for text in records.HOSTILE.values():
        shorter = text[:200].replace("\n", " ").replace("\r", " ").replace("\0", " ").replace("\t", " ").strip()
        if not shorter:
            continue
        # Emoji cannot be typed by WebDriver in Chromium, so the field is set as pasting would set it.
        browser.go("#/videos")
        browser.one("#search")
        browser.run(
            """
            const field = document.getElementById("search");
            field.value = arguments[0];
            field.dispatchEvent(new Event("input", { bubbles: true }));
        """,
            shorter,
        )
        browser.wait("the search's heading", lambda: browser.text("h1").startswith("Videos: "))
        browser.one(".feed-end .note, .video-card[data-id]")
        browser.layout("typed harm")
    browser.shot("hostile-search")


def follows_harmful_addresses(browser):
    for address in [
        "#/watch/%3Cscript%3Ewindow.hacked=1%3C/script%3E",
        "#/channels/..%2F..%2Fapi%2Fsession",
        "#/searches/%22%3E%3Cimg%20src=x%20onerror=window.hacked=1%3E",
        "#/videos?filter=%3Cscript%3E&sort=__proto__&date=constructor&length=--1",
        "#/javascript:window.hacked=1",
        "#/%E0%A4%A",
        "#/__proto__",
        "#/constructor",
    ]:
        # The server does not know such things, and says so.
        browser.expected += ["status of 404", "status of 400"]
        browser.go(address)
        browser.wait(
            f"something at {address}",
            lambda: browser.text("h1") != "" and browser.run("return document.querySelector('main .outline') === null"),
        )
        browser.layout(address)
