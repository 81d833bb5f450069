"""What axe, the checker of accessibility, finds in every view, light and dark: names, roles, contrast, order of headings."""

import pathlib

import axe_core_python
import catalogue_double
from browser import Browser, Failure

AXE = pathlib.Path(axe_core_python.__file__).with_name("axe.min.js")
RUN = """
    const done = arguments[0];
    const tell = (one) => `${one.id}: ${one.nodes[0].html.slice(0, 160)}`;
    axe.run(document, { resultTypes: ["violations"] }).then((found) => done(found.violations.map(tell)), (error) => done([String(error)]));
"""


def accessible(viewport, shots):
    server, state = catalogue_double.start(with_hostile=True)
    owner = next(iter(state.channels))
    video = next(one["id"] for one in state.videos.values() if one["channelId"] == owner)
    views = [
        "#/channels",
        "#/channels?q=apple",
        f"#/channels/{owner}",
        "#/videos?q=the",
        "#/videos?filter=liked",
        f"#/watch/{video}?list=channel",
    ]
    with Browser(f"http://127.0.0.1:{server.server_address[1]}", viewport, shots) as browser:
        for scheme in ["light", "dark"]:
            browser.scheme(scheme)
            for view in [*views, "#/pipeline", "#/nowhere"]:
                looks_at(browser, view, scheme)
    server.stop()


def looks_at(browser, view, scheme):
    browser.go(view)
    browser.driver.refresh()
    browser.one("h1")
    browser.wait("what loads", lambda: not browser.all("main .outline"))
    browser.settle()
    browser.draw_all()
    browser.run(AXE.read_text())
    found = browser.driver.execute_async_script(RUN)
    if found:
        raise Failure(f"{view} on {browser.viewport}, {scheme}: {found}")
