"""What lies at the edges of things: rings of the focus, a channel that is not there, a reference that is refused."""

import catalogue_double
from browser import Browser

# Which sides of the card's box, the only one in which it is drawn, something leaves. A ring of the focus ends 4 pixels away, that of the heart inside.
OUTSIDE = """
    const box = document.querySelector(".video-list > li").getBoundingClientRect();
    return [[".cover-link", 4], [".like-button", 0]].filter(([name, ring]) => {
      const part = document.querySelector(`.video-list > li ${name}`).getBoundingClientRect();
      return part.left - ring < box.left || part.right + ring > box.right || part.top - ring < box.top || part.bottom + ring > box.bottom;
    }).map(([name]) => name);
"""
# How many notes and bars of filters there are.
SHOWN = "return [...document.querySelectorAll('main .note, main .filters')].filter((one) => one.checkVisibility()).length"


def edges(viewport, shots):
    server, _ = catalogue_double.start(with_hostile=True)
    with Browser(f"http://127.0.0.1:{server.server_address[1]}", viewport, shots) as browser:
        browser.go("#/videos")
        browser.one(".video-card[data-id] .like-button")
        browser.wait("no part is cut off", lambda: browser.run(OUTSIDE) == [])
        browser.run("document.querySelector('h1').focus()")
        browser.run("document.querySelector('.video-list .cover-link').focus({focusVisible: true})")
        browser.shot("edges-focus")
        browser.run("document.querySelector('.video-list .like-button').focus({focusVisible: true})")
        browser.shot("edges-focus-like")
        unknown_channel(browser)
        refused(browser)
    server.stop()


def unknown_channel(browser):
    browser.expected.append("/api/channels/UC-nobody")
    browser.go("#/channels/UC-nobody")
    browser.one(".note", "There is no such channel here")
    browser.settle()
    browser.wait("one note and no filters", lambda: browser.run(SHOWN) == 1)
    browser.shot("edges-unknown-channel")
    browser.press(".note a", "To the channels")
    browser.one("h1", "Channels")


def refused(browser):
    browser.expected.append("/api/requests")
    browser.one("#add").send_keys("refused")
    browser.press(".add-form button")
    browser.one("#add-wrong", "This is for programs.")
    browser.wait("no name of a member", lambda: not browser.one("#add-wrong").text.startswith("channel:"))
