"""What a person does in the catalogue, from the first channel to the picture of the pipeline."""

from selenium.webdriver.common.keys import Keys

from browser import Failure

GOOGLE_VIDEOS = 1636


def expect(holds, sentence):
    if not holds:
        raise Failure(sentence)


def journey(browser):
    adds_no_name(browser)
    adds_google(browser)
    scrolls_to_the_end(browser)
    likes_one(browser)
    searches_the_catalogue(browser)
    searches_youtube_for_channels(browser)
    searches_youtube_for_videos(browser)
    plays(browser)
    looks_at_the_pipeline(browser)


def adds_no_name(browser):
    browser.go("")
    browser.expected.append("/api/requests - Failed to load resource: the server responded with a status of 422")
    browser.type("#add", "no channel at all", Keys.ENTER)
    browser.one("#add-wrong", "A name with blanks is neither a handle nor a user name. Search for it.")
    browser.press("#add-wrong a", "Search for it")
    browser.one("button[data-publishes]", "Search YouTube")


def adds_google(browser):
    browser.go("")
    browser.one("h1", "Channels")
    browser.one(".status", "Live") if browser.viewport == "phone" else browser.one(".status[data-tone=good]")
    browser.type("#add", "@Google", Keys.ENTER)
    browser.one(".request-card")
    # While it runs, the bar tells how far it is, without the page being loaded again.
    browser.wait(
        "progress between nothing and all",
        lambda: 0 < (browser.run("return document.querySelector('.request-card progress[value]')?.value") or 0) < 1,
        60,
    )
    browser.shot("1-progress")
    browser.one(".request-card", "Complete", 180)
    expect(
        f"{GOOGLE_VIDEOS:,}" in browser.text(".request-card"),
        f"the card does not tell {GOOGLE_VIDEOS:,} videos: {browser.text('.request-card')}",
    )
    browser.one(".channel-card", f"{GOOGLE_VIDEOS:,} videos", 60)
    browser.shot("2-channels")
    browser.shot("2-channels", scheme="dark" if browser.viewport == "desktop" else "light")
    browser.press(".channel-card .cover-link", "Google")


def shown(browser):
    return browser.run("return document.querySelectorAll('.video-list > li .video-card[data-id]').length")


def scrolls_to_the_end(browser):
    browser.one("h1", "Google")
    browser.wait("the first videos", lambda: shown(browser) > 0)
    browser.shot("3-channel")
    browser.shot("3-channel", scheme="dark" if browser.viewport == "desktop" else "light")
    while (before := shown(browser)) < GOOGLE_VIDEOS:
        browser.run("scrollTo(0, document.documentElement.scrollHeight)")
        browser.wait(f"more than {before} videos", lambda: shown(browser) > before)
    browser.one(".feed-over", f"{GOOGLE_VIDEOS:,} videos")
    different = browser.run("return new Set([...document.querySelectorAll('.video-card')].map((card) => card.dataset.id)).size")
    expect(different == GOOGLE_VIDEOS, f"{different} different videos are shown")
    browser.run("scrollTo(0, document.documentElement.scrollHeight)")
    browser.shot("4-end-of-list")


def likes_one(browser):
    liked = browser.run("return document.querySelectorAll('.video-card')[2].dataset.id")
    heart = f".video-card[data-id='{liked}'] .like-button"
    browser.press(heart)
    browser.one(f"{heart}[aria-pressed=true]")
    browser.wait("the like is kept", lambda: browser.run("return document.getElementById('announce').textContent").startswith("Liked"))
    browser.run("scrollTo(0, 0)")
    browser.choose("Liked")
    browser.wait(
        "the liked one alone",
        lambda: browser.run("return [...document.querySelectorAll('.video-card[data-id]')].map((card) => card.dataset.id).join()") == liked,
    )
    browser.shot("5-liked")
    browser.driver.refresh()
    browser.wait("the liked one after a reload", lambda: shown(browser) == 1 and browser.one(f"{heart}[aria-pressed=true]"))
    browser.choose("All")
    browser.wait("all again", lambda: shown(browser) > 1)


def searches_the_catalogue(browser):
    title = browser.run(
        "return [...document.querySelectorAll('.video-title')].map((one) => one.textContent).find((text) => /^[A-Za-z]{5,}/.test(text))"
    )
    word = title.split()[0].strip(":,.|")
    browser.choose("Videos", ".find")
    # All letters but the last: what is being typed is found before the word is finished.
    browser.type("#search", word[:-1])
    browser.wait(
        "results while typing",
        lambda: f"q={word[:-1]}" in browser.driver.current_url and word.lower() in browser.text(".video-list .video-title").lower(),
    )
    expect(browser.run("return document.activeElement.id") == "search", "the search field lost the focus while results came")
    browser.shot("6-search-videos")
    browser.choose("Channels", ".find")
    browser.type("#search", "Goog")
    browser.one(".channel-card", "Google")
    browser.shot("7-search-channels")


def left_today(browser):
    """What the offer says is left; it is asked for anew, so it may come a moment later."""
    words = browser.wait("what a search costs", lambda: "left" in browser.text(".offer-words") and browser.text(".offer-words"))
    expect("Costs 1 search" in words and "of today’s 100" in words, f"the offer says: {words}")
    return int(words.split(".")[1].split()[0])


def searches_youtube_for_channels(browser):
    browser.choose("Channels", ".find")
    browser.type("#search", "Microsoft")
    browser.one(".offer-title", "“Microsoft”")
    before = left_today(browser)
    browser.press(".offer .button", "Search YouTube")
    browser.one("h1", "On YouTube: Microsoft")
    browser.one(".request-card")
    browser.shot("8-youtube-waiting")
    browser.one(".channel-card .card-title", seconds=60)
    browser.one(".request-card", "Complete", 60)
    browser.shot("9-youtube-channels")
    browser.choose("Videos", ".find")
    browser.type("#search", "Android")
    browser.one(".offer-title", "“Android”")
    browser.wait("one search less", lambda: left_today(browser) == before - 1)


def searches_youtube_for_videos(browser):
    browser.press(".offer .button", "Search YouTube")
    browser.one("h1", "On YouTube: Android")
    browser.one(".video-card[data-id]", seconds=60)
    browser.one(".request-card", "Complete", 60)
    browser.shot("10-youtube-videos")
    orders_what_was_found(browser)


def orders_what_was_found(browser):
    """The videos of a search have their own order, and the player knows it."""
    lengths = "return [...document.querySelectorAll('.video-card .length > [aria-hidden]')].map((one) => one.textContent)"
    browser.run(
        """
        const select = [...document.querySelectorAll(".filters select")].find((one) => one.dataset.part === "Order");
        select.value = "longest";
        select.dispatchEvent(new Event("change", { bubbles: true }));
    """
    )
    browser.wait(
        "the longest first",
        lambda: "sort=longest" in browser.driver.current_url and descending([seconds(one) for one in browser.run(lengths)]),
    )
    titles = browser.run(
        "return [...document.querySelectorAll('.video-card')].slice(0, 2).map((one) => one.querySelector('.video-title').textContent)"
    )
    browser.press(".video-card[data-id] .cover-link")
    browser.one(".watch-title")
    expect(browser.text(".neighbour[rel=next] .neighbour-title") == titles[1], "the next video is not the next of the list")
    browser.press(".back-link")
    browser.wait("the list in its order", lambda: "sort=longest" in browser.driver.current_url and len(browser.run(lengths)) > 2)


def seconds(text):
    result = 0
    for part in text.split(":"):
        result = result * 60 + int(part)
    return result


def descending(numbers):
    return len(numbers) > 2 and numbers == sorted(numbers, reverse=True)


def plays(browser):
    browser.go("#/channels")
    browser.press(".channel-card .cover-link", "Google")
    browser.wait("videos", lambda: shown(browser) > 20)
    browser.press(".video-card[data-id]:has(.length) .cover-link")
    first = browser.one(".watch-title").text
    browser.one(".neighbour[rel=next]")
    browser.shot("11-player")
    browser.shot("11-player", scheme="dark" if browser.viewport == "desktop" else "light")
    address = browser.driver.current_url
    press_key(browser, "n")
    browser.wait(
        "the next video",
        lambda: browser.driver.current_url != address and browser.one(".watch-title") and browser.one(".neighbour[rel=prev]"),
    )
    press_key(browser, "p")
    browser.wait("the previous one again", lambda: browser.driver.current_url == address and browser.one(".watch-title").text == first)
    browser.press(".stage-button")
    source = browser.one(".stage iframe").get_attribute("src")
    expect(source.startswith("https://www.youtube-nocookie.com/embed/"), f"the player is {source}")
    browser.driver.switch_to.default_content()
    browser.press(".back-link")
    browser.one("h1", "Google")
    browser.choose("Unavailable")
    browser.press(".video-card[data-id] .cover-link")
    browser.one(".stage.unplayable", " video")
    browser.shot("12-unavailable")
    browser.driver.back()
    browser.one(".filters")
    browser.wait("the list is as it was", lambda: "filter=unavailable" in browser.driver.current_url and shown(browser) > 0)


def press_key(browser, key):
    browser.run("document.querySelector('h1').focus()")
    browser.driver.switch_to.active_element.send_keys(key)


def looks_at_the_pipeline(browser):
    browser.press(".place[data-place=pipeline]")
    browser.one("h1", "Pipeline")
    for stage in ["channels", "playlists", "videos", "catalogue"]:
        browser.one(f".stage-card[data-stage={stage}]")
    for bucket in ["default", "search"]:
        browser.one(f".gauge[data-bucket={bucket}]", "left")
    browser.wait("lines in the charts", lambda: browser.run("return document.querySelectorAll('.chart .line').length") >= 4)
    browser.one(".events .event")
    browser.one(".asked-line", "Google")
    browser.run("scrollTo(0, 0)")
    browser.shot("13-pipeline")
    browser.shot("13-pipeline-whole", whole=True)
    browser.shot("13-pipeline-whole", scheme="dark" if browser.viewport == "desktop" else "light", whole=True)
