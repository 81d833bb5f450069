// The search field of the header: searches the catalogue as one types, in channels or in videos.
import {segments} from "./choices.js";
import {el} from "./dom.js";
import {icon} from "./icons.js";
import {go, link, parse} from "./router.js";

const PAUSE = 180;

/** The field and its two segments. `arrive(route)` makes it agree with the view that is shown. */
export function searchField() {
  let scope = "channels";
  let timer = 0;
  let searched = "";
  const input = el("input", {
    id: "search",
    class: "find-input",
    type: "search",
    maxlength: 500,
    autocomplete: "off",
    spellcheck: "false",
    enterkeyhint: "search",
    placeholder: matchMedia("(max-width: 480px)").matches ? "Search" : "Search the catalogue",
    "aria-label": "Search the catalogue",
    "aria-keyshortcuts": "/",
    dir: "auto"
  });
  const scopes = segments({
    label: "Search in",
    options: [["channels", "Channels"], ["videos", "Videos"]],
    value: scope,
    className: "scope",
    onchange: (key) => {
      scope = key;
      search();
    }
  });

  function search() {
    clearTimeout(timer);
    const text = input.value.trim();
    const address = link([scope], {q: text});
    const here = parse(location.hash);
    const inResults = here.path.length === 1 && (here.path[0] === "channels" || here.path[0] === "videos") && here.query.has("q");
    searched = address;
    // One search is one entry of the history, however many letters it took.
    go(address, {replace: inResults && text !== ""});
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, PAUSE);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && input.value) {
      input.value = "";
      search();
      event.preventDefault();
    }
  });
  const element = el("form", {
    class: "find-form",
    role: "search",
    onsubmit: (event) => {
      event.preventDefault();
      search();
    }
  },
    el("span", {class: "find-icon"}, icon("search", 18)), input, scopes.element);

  function arrive({path, query}) {
    const [place] = path;
    if (path.length === 1 && (place === "channels" || place === "videos")) {
      scope = place;
      scopes.set(scope);
    }
    const text = path.length === 1 ? query.get("q") ?? "" : "";
    // What this field asked for itself is not written back: more may have been typed meanwhile.
    if (location.hash === searched) return;
    searched = "";
    input.value = text;
  }

  return {element, arrive, focus: () => (input.focus(), input.select()), isActive: () => document.activeElement === input};
}
