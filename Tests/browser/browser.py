"""A headless Chromium that reaches the catalogue and no other host, and tells what went wrong in it."""

import base64
import json
import pathlib
import urllib.parse

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

VIEWPORTS = {"desktop": (1280, 800, "light"), "phone": (390, 844, "dark")}
# The hosts that the page may ask, and that do not exist in the test.
PICTURES = {"i.ytimg.com", "yt3.ggpht.com"}
BLOCKED = PICTURES | {"www.youtube-nocookie.com"}
WATCHER = """
window.troubles = [];
addEventListener("error", (event) => event.message && troubles.push(`error: ${event.message} (${event.filename}:${event.lineno})`));
addEventListener("unhandledrejection", (event) => troubles.push(`rejection: ${event.reason}`));
addEventListener("securitypolicyviolation", (event) =>
  troubles.push(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
window.alert = window.confirm = window.prompt = (text) => troubles.push(`dialog: ${text}`);
"""


class Failure(AssertionError):
    pass


class Browser:
    """One window of one size. `expected` holds pieces of console messages that a test provokes on purpose; with `painter`, the port of
    pictures.py, YouTube's picture hosts are there. `width` is another than the viewport's own."""

    def __init__(self, url, viewport, shots, patience=20, painter=None, width=None):
        self.url, self.viewport, self.shots, self.patience, self.expected = url.rstrip("/"), viewport, pathlib.Path(shots), patience, []
        self.painter = painter
        usual, height, scheme = VIEWPORTS[viewport]
        width = width or usual
        painted = [f"MAP {host} 127.0.0.1:{painter}" for host in sorted(PICTURES)] if painter else []
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for flag in [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--hide-scrollbars",
            "--lang=en",
            f"--window-size={width},{height}",
            "--host-resolver-rules=" + ", ".join([*painted, "MAP * ~NOTFOUND", "EXCLUDE 127.0.0.1"]),
            *(["--ignore-certificate-errors"] if painter else []),
        ]:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        command = self.driver.execute_cdp_cmd
        command(
            "Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": viewport == "phone"}
        )
        command("Page.addScriptToEvaluateOnNewDocument", {"source": WATCHER})
        self.scheme(scheme)
        self.shots.mkdir(parents=True, exist_ok=True)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        try:
            if kind is not None:
                self.driver.save_screenshot(str(self.shots / f"{self.viewport}-failed.png"))
            else:
                self.check()
        finally:
            self.driver.quit()

    def scheme(self, name):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": name}]})

    def go(self, address):
        self.driver.get(self.url + "/" + address)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, what, condition, seconds=None):
        """Waits until a condition holds, and answers with what it said; elements that were drawn anew meanwhile are looked up again."""
        wait = WebDriverWait(
            self.driver, seconds or self.patience, poll_frequency=0.05, ignored_exceptions=[StaleElementReferenceException]
        )
        return wait.until(lambda _: condition(), f"waited in vain: {what}")

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector, text=None, seconds=None):
        """The first visible element of a selector, and with a text in it, as soon as there is one."""

        def look():
            return next((one for one in self.all(selector) if one.is_displayed() and (text is None or text in one.text)), None)

        return self.wait(f"{selector} {text or ''}", look, seconds)

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def press(self, selector, text=None):
        def attempt():
            element = self.one(selector, text)
            self.run("arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })", element)
            element.click()
            return True

        return self.wait(f"press {selector} {text or ''}", attempt)

    def type(self, selector, text, *keys):
        field = self.one(selector)
        field.clear()
        field.send_keys(text, *keys)

    def choose(self, text, within="main"):
        """Chooses a segment by its word."""
        self.press(f"{within} .segment", text)

    def shot(self, name, scheme=None, whole=False):
        """Keeps a picture, after the layout is looked at."""
        self.layout(name)
        usual = VIEWPORTS[self.viewport][2]
        if scheme:
            self.scheme(scheme)
        path = self.shots / f"{self.viewport}-{name}{'-' + scheme if scheme and scheme != usual else ''}.png"
        self.settle()
        if whole:
            self.draw_all()
            self.layout(name, whole=True)
            data = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": True})
            path.write_bytes(base64.b64decode(data["data"]))
        else:
            self.driver.save_screenshot(str(path))
        if scheme:
            self.scheme(usual)
        return path

    def draw_all(self):
        """Cards outside the window are not drawn otherwise; and what sticks to its edge would lie in the middle of the picture."""
        self.run(
            """
            const all = new CSSStyleSheet();
            all.replaceSync(".feed > li { content-visibility: visible !important } @media (max-width: 700px) { .places { visibility: hidden } }");
            document.adoptedStyleSheets = [all];
        """
        )

    def settle(self):
        """Waits for the end of all animations but the endless ones."""
        self.wait(
            "end of the animations",
            lambda: self.run(
                "return document.getAnimations().every((one) => one.playState !== 'running' || "
                "one.effect.getComputedTiming().iterations === Infinity)"
            ),
        )

    def layout(self, name, whole=False):
        """Nothing is wider than the window, and nothing that is read lies outside it, unless dots or a scroll bar tell of it."""
        wide = self.run(
            """
            const width = document.documentElement.clientWidth;
            const isFar = (card) => {
              const box = card.getBoundingClientRect();
              return box.bottom < 0 || box.top > innerHeight;
            };
            const isTold = (node) => {
              const style = getComputedStyle(node);
              const scrolls = ["auto", "scroll"].includes(style.overflowX) && node.scrollWidth > node.clientWidth && node.tabIndex === 0;
              return (scrolls || (style.overflowX === "hidden" && style.textOverflow === "ellipsis")) && isInside(node);
            };
            const isInside = (node) => {
              const box = node.getBoundingClientRect();
              return box.right <= width + 1 && box.left >= -1;
            };
            const isCut = (node) => {
              for (let one = node.parentElement; one; one = one.parentElement) if (isTold(one)) return true;
              return false;
            };
            // Cards outside the window have no layout inside, and asking for that of a thousand takes long.
            const far = new Set(arguments[0] ? [] : [...document.querySelectorAll(".feed > li")].filter(isFar));
            const bad = [...document.querySelectorAll("main *, header *")].filter((node) => {
              const card = node.closest(".feed > li");
              if ((card !== node && far.has(card)) || node.closest(".unseen, [hidden], svg, .table-box")) return false;
              return node.getBoundingClientRect().width > 0 && !isInside(node) && !isCut(node);
            });
            return { page: document.documentElement.scrollWidth > width, bad: bad.slice(0, 5).map((node) => node.outerHTML.slice(0, 160)) };
        """,
            whole,
        )
        if wide["page"] or wide["bad"]:
            raise Failure(f"{name} on {self.viewport}: wider than the window: {wide}")

    def check(self):
        """No script of anybody else ran, the console is clean, and no other host was asked."""
        if self.run("return window.hacked"):
            raise Failure(f"a record's text was executed: {self.run('return window.hacked')}")
        troubles = [one for one in self.run("return window.troubles ?? []") if not self.is_expected(one)]
        for entry in self.driver.get_log("browser"):
            blocked = "net::ERR_NAME_NOT_RESOLVED" in entry["message"] and any(f"//{host}/" in entry["message"] for host in BLOCKED)
            if entry["level"] in ("SEVERE", "WARNING") and not blocked and not self.is_expected(entry["message"]):
                troubles.append(entry["message"])
        troubles += self.foreign()
        if troubles:
            raise Failure(f"{self.viewport}: {troubles}")

    def is_expected(self, message):
        return any(piece in message for piece in self.expected)

    def foreign(self):
        own = urllib.parse.urlsplit(self.url).netloc
        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            address = message["params"].get("request", {}).get("url") or message["params"].get("response", {}).get("url") or ""
            host = urllib.parse.urlsplit(address).netloc
            # chromedriver begins with the page `data:,`; a frame that is blocked shows chrome-error:.
            if address == "data:," or address.startswith(("chrome-error:", "about:")):
                continue
            asked = (
                message["method"] == "Network.requestWillBeSent" and host != own and not (host in BLOCKED and address.startswith("https:"))
            )
            answered = message["method"] == "Network.responseReceived" and host != own and not (self.painter and host in PICTURES)
            if asked or answered:
                found.append(f"{message['method']} {address[:200]}")
        return found
