"""Rights, troubles, the keyboard, and what survives a reload."""

from selenium.webdriver.common.keys import Keys

import catalogue_double
from browser import Browser
from journey import expect, shown


def rights(viewport, shots):
    for part in (asks_for_the_token, is_read_only, is_empty, says_that_nothing_answers, works_by_keyboard, comes_back_to_the_same_place):
        print(f"  {viewport}: {part.__name__.replace('_', ' ')}", flush=True)
        part(viewport, shots)


def served(**options):
    server, state = catalogue_double.start(**options)
    return f"http://127.0.0.1:{server.server_address[1]}", server, state


def asks_for_the_token(viewport, shots):
    url, server, _ = served(token="correct horse")
    with Browser(url, viewport, shots) as browser:
        browser.expected.append("status of 401")
        browser.go("#/channels")
        browser.type("#add", "@Apple", Keys.ENTER)
        browser.one("dialog[open] #token")
        expect(browser.run("return document.activeElement.id") == "token", "the dialog has not the focus")
        browser.shot("token")
        browser.type("#token", "wrong", Keys.ENTER)
        browser.one("dialog .field-error", "not the token")
        browser.type("#token", "correct horse", Keys.ENTER)
        browser.wait("the dialog is gone", lambda: not browser.all("dialog"))
        browser.one(".request-card", "Apple")
        browser.one(".request-card", "Complete")
    server.stop()


def is_read_only(viewport, shots):
    url, server, state = served(read_only=True)
    with Browser(url, viewport, shots) as browser:
        owner = next(iter(state.channels))
        for address in [
            "#/channels",
            "#/channels?q=apple",
            f"#/channels/{owner}",
            "#/videos",
            "#/pipeline",
            f"#/watch/{next(iter(state.videos))}",
        ]:
            browser.go(address)
            browser.driver.refresh()
            browser.one(".channel-card .card-title, .video-card[data-id], .stage-card, .watch-title")
            found = browser.all("[data-publishes], .add-form, .offer, .like-button")
            expect(not found, f"{address} offers what publishes: {[one.get_attribute('outerHTML')[:120] for one in found]}")
        browser.shot("read-only")
    server.stop()


def is_empty(viewport, shots):
    url, server, _ = served(empty=True)
    with Browser(url, viewport, shots) as browser:
        browser.go("#/channels")
        browser.one(".note.empty", "No channels yet")
        browser.shot("empty-channels")
        browser.go("#/videos?filter=liked")
        browser.one(".note.empty", "Nothing liked yet")
        browser.shot("empty-liked")
        browser.type("#search", "nothing like this")
        browser.one(".note.empty", "No video like that")
        browser.shot("empty-search")
        browser.go("#/channels")
        browser.type("#add", "@NobodyAtAll", Keys.ENTER)
        browser.one(".request-card", "Not found")
        browser.shot("not-found")
    server.stop()


def says_that_nothing_answers(viewport, shots):
    url, server, _ = served()
    with Browser(url, viewport, shots) as browser:
        browser.expected += [
            "ERR_CONNECTION_REFUSED",
            "ERR_EMPTY_RESPONSE",
            "ERR_INCOMPLETE_CHUNKED_ENCODING",
            "ERR_CONNECTION_RESET",
            "status of 503",
        ]
        browser.go("#/channels")
        browser.one(".channel-card .card-title")
        port = server.server_address[1]
        server.stop()
        browser.run("location.hash = '#/videos'")
        browser.one(".note.failed", "does not answer")
        browser.shot("unreachable")
        again, _ = catalogue_double.start(port=port)
        browser.press(".note.failed .button", "Try again")
        browser.wait("the videos", lambda: shown(browser) > 0)
        again.stop()


def works_by_keyboard(viewport, shots):
    url, server, _ = served()
    with Browser(url, viewport, shots) as browser:
        browser.go("#/channels")
        browser.one(".channel-card .card-title")
        send = lambda *keys: browser.driver.switch_to.active_element.send_keys(*keys)
        # From the top: the skip link, then the content.
        browser.run("document.activeElement.blur()")
        browser.one("body").send_keys(Keys.TAB)
        focused = lambda: browser.run(
            "return document.activeElement.id || document.activeElement.className || document.activeElement.tagName"
        )
        expect(focused() == "skip" or browser.all("#skip"), f"the first stop is {focused()}")
        browser.run("document.getElementById('skip').focus()")
        browser.shot("skip")
        send(Keys.ENTER)
        expect(browser.run("return document.activeElement.tagName") == "H1", "the skip button does not lead to the heading")
        send("/")
        expect(browser.run("return document.activeElement.id") == "search", "/ does not lead to the search field")
        send("apple")
        browser.one(".channel-card .card-title", "Apple")
        send(Keys.ESCAPE)
        browser.wait("the search is over", lambda: browser.run("return document.getElementById('search').value") == "")
        browser.go("#/videos")
        browser.wait("videos", lambda: shown(browser) > 0)
        # The end of the list is reached by a button, and the focus goes on to the first that came.
        browser.run("document.querySelector('.video-card .cover-link').focus()")
        send(Keys.TAB)
        outline = browser.run("const s = getComputedStyle(document.activeElement); return s.outlineStyle + s.outlineWidth")
        expect(outline != "none0px", f"the focus is not visible: {outline}")
        unnamed = browser.run(
            """
            const named = (one) => one.getAttribute("aria-label") || one.getAttribute("aria-labelledby") || one.textContent.trim()
              || one.labels?.length;
            return [...document.querySelectorAll("a, button, input, select, [tabindex='0']")].filter((one) => !named(one))
              .map((one) => one.outerHTML.slice(0, 120));
        """
        )
        expect(not unnamed, f"without a name: {unnamed}")
        for landmark in ["header", "nav[aria-label]", "main", "[role=search]", "[aria-live=polite]"]:
            expect(browser.all(landmark), f"there is no {landmark}")
    server.stop()


def comes_back_to_the_same_place(viewport, shots):
    url, server, state = served()
    with Browser(url, viewport, shots) as browser:
        browser.go("#/videos")
        browser.wait("the first page", lambda: shown(browser) > 0)
        while (before := shown(browser)) < 150:
            browser.run("scrollTo(0, document.documentElement.scrollHeight)")
            browser.wait("more", lambda: shown(browser) > before)
        count = shown(browser)
        browser.press(".feed > li:nth-child(100) .cover-link")
        browser.one(".watch-title")
        browser.driver.back()
        browser.wait("the same list", lambda: shown(browser) >= count)
        seen = browser.run(
            """
            const box = document.querySelector(".feed > li:nth-child(100)").getBoundingClientRect();
            return box.bottom > 0 && box.top < innerHeight;
        """
        )
        expect(seen, "back leads to another place of the list")
        browser.type("#search", "the")
        browser.wait("the search", lambda: browser.text("h1").startswith("Videos: the"))
        browser.driver.back()
        browser.wait("the field is empty again", lambda: browser.run("return document.getElementById('search').value") == "")
        browser.driver.forward()
        browser.wait("its words are back", lambda: browser.run("return document.getElementById('search').value") == "the")
        browser.press(".video-card[data-id] .cover-link")
        browser.one(".watch-title")
        browser.driver.back()
        browser.wait("the words of the search again", lambda: browser.run("return document.getElementById('search').value") == "the")
        browser.driver.forward()
        browser.one(".watch-title")
        browser.driver.refresh()
        browser.one(".watch-title")
        browser.one(".neighbour[rel=next]")
    server.stop()
