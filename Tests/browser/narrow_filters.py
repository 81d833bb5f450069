"""On a narrow phone each choice of the filters can be read in full."""

import catalogue_double
from browser import Browser, Failure

# What does not fit, by a select of the same style that holds one option alone and is as wide as that needs.
CUT = """
    const cut = [];
    for (const select of document.querySelectorAll(".filters select")) {
      for (const option of select.options) {
        const alone = select.cloneNode(false);
        alone.append(new Option(option.text));
        Object.assign(alone.style, { position: "absolute", visibility: "hidden", width: "max-content", maxWidth: "none" });
        select.after(alone);
        if (alone.offsetWidth > select.offsetWidth) cut.push(`${option.text} needs ${alone.offsetWidth} px of ${select.offsetWidth}`);
        alone.remove();
      }
    }
    return cut;
"""


def narrow_filters(viewport, shots):
    server, state = catalogue_double.start()
    with Browser(f"http://127.0.0.1:{server.server_address[1]}", viewport, shots, width=360 if viewport == "phone" else None) as browser:
        for view in [f"#/channels/{next(iter(state.channels))}", "#/videos", "#/videos?q=the&length=1201-3600"]:
            browser.go(view)
            browser.driver.refresh()
            browser.one(".filters select")
            if cut := browser.run(CUT):
                raise Failure(f"{view} on {viewport}: {cut}")
        browser.shot("filters")
    server.stop()
