// Begins the page: the places, the search field, the stream of events, and one view at a time.
import {get} from "./api.js";
import {channelView} from "./channel-view.js";
import {channelsView} from "./channels-view.js";
import {el, show} from "./dom.js";
import {on, startEvents} from "./events.js";
import {count, table} from "./format.js";
import {foundView} from "./found-view.js";
import {icon} from "./icons.js";
import {emptyNote} from "./notes.js";
import {pipelineView} from "./pipeline-view.js";
import {startRequests} from "./requests.js";
import {again, start} from "./router.js";
import {searchField} from "./search-field.js";
import {watchRights} from "./session.js";
import {videosView} from "./videos-view.js";
import {watchView} from "./watch-view.js";

const PLACES = [["channels", "Channels", "#/channels"], ["videos", "Videos", "#/videos"], ["pipeline", "Pipeline", "#/pipeline"]];
const LISTS = table({channels: channelsView, videos: videosView, pipeline: pipelineView});
const SINGLE = table({channels: channelView, searches: foundView, watch: watchView});
const HOMES = table({channels: "channels", videos: "videos", pipeline: "pipeline", watch: "videos"});
const forever = new AbortController().signal;
const main = document.getElementById("main");
const field = searchField();
let leaving = new AbortController();
let left;

function viewOf({path}) {
  const [place, id] = path;
  if (path.length === 1) return LISTS[place];
  if (path.length === 2 && id) return SINGLE[place];
  return undefined;
}

function nowhere() {
  return {
    title: "Not found",
    element: el("div", {class: "page"}, el("h1", {tabindex: -1}, "There is nothing here"), emptyNote({
      title: "This address leads nowhere",
      text: "It may be mistyped.",
      action: el("a", {class: "button", href: "#/channels"}, "To the channels")
    }))
  };
}

function draw(route, memory, {replaced}) {
  leaving.abort();
  if (left) left.anchor = anchorNow();
  left = memory;
  leaving = new AbortController();
  const {signal} = leaving;
  const part = main.contains(document.activeElement) ? document.activeElement.dataset.part : undefined;
  const retitle = (title) => !signal.aborted && (document.title = `${title} · Tubeline`);
  const {scroll, anchor} = memory;
  const view = (viewOf(route) ?? nowhere)({...route, memory, signal, retitle});
  show(main, view.element);
  main.classList.remove("arriving");
  if (!replaced) requestAnimationFrame(() => main.classList.add("arriving"));
  if (view.title) retitle(view.title);
  drawPlaces(route);
  field.arrive(route);
  // The lists are filled in a microtask when they are remembered; after it the page is as long as it was.
  queueMicrotask(() => settle(scroll, anchor, replaced, part));
}

// Cards outside the window have estimated heights, so a place in a list is a card and where on the screen it was, not a number of pixels.
function anchorNow() {
  const card = document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest(".feed > li")?.querySelector("[data-id]");
  return card && {id: card.dataset.id, top: card.getBoundingClientRect().top};
}

function settle(scroll, anchor, replaced, part) {
  const card = anchor && main.querySelector(`.feed [data-id="${CSS.escape(anchor.id)}"]`);
  const align = () => card.isConnected && scrollBy({top: card.getBoundingClientRect().top - anchor.top, behavior: "instant"});
  if (card) {
    align();
    // The cards around it have their true heights after the next layout.
    requestAnimationFrame(() => (align(), requestAnimationFrame(align)));
  } else {
    scrollTo(0, replaced && part ? scrollY : scroll);
  }
  if (field.isActive()) return;
  const control = part && main.querySelector(`[data-part="${CSS.escape(part)}"]`);
  (control ?? main.querySelector("h1") ?? main).focus({preventScroll: true});
}

function drawPlaces({path}) {
  const nav = document.getElementById("places");
  if (!nav.hasChildNodes()) {
    show(nav, PLACES.map(([key, word,
      address]) => el("a", {class: "place", href: address, data: {place: key}}, icon(key, 20), el("span", {}, word))));
  }
  for (const place of nav.children) {
    if (place.dataset.place === HOMES[path[0]]) place.setAttribute("aria-current", path.length === 1 ? "page" : "true");
    else place.removeAttribute("aria-current");
  }
}

function showStatus() {
  const dot = el("span", {class: "dot"});
  const words = el("span", {class: "status-words"}, "Connecting");
  const box = el("p", {class: "status", role: "status"}, dot, words);
  show(document.getElementById("status"), box);
  let live = false;
  let catalogue;
  let timer = 0;
  const tell = () => {
    const [tone, text] = live ? consuming(catalogue) : ["bad", "Not connected"];
    box.dataset.tone = tone;
    if (words.textContent !== text) words.textContent = text;
    box.title = text;
    clearTimeout(timer);
    // That the catalogue has caught up is no message of the stream when no record came with it.
    if (live && tone !== "good") timer = setTimeout(read, 2000);
  };
  const read = () => get(["catalogue"]).then((now) => (catalogue = now), () => {}).then(tell);
  on("connection", forever, (now) => ((live = now.live), tell(), live && read()));
  on("catalogue", forever, (now) => ((catalogue = now), tell()));
}

function consuming(catalogue) {
  if (catalogue === undefined || catalogue.consuming === "starting") return ["busy", "Starting"];
  if (catalogue.consuming === "away") return ["bad", "Not reading"];
  if (catalogue.consuming !== "catchingUp") return ["good", "Live"];
  return ["busy", catalogue.behind ? `${count(catalogue.behind, "record")} behind` : "Catching up"];
}

document.getElementById("skip").addEventListener("click", () => (main.querySelector("h1") ?? main).focus());
show(document.getElementById("find"), field.element);
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea, dialog"))
    return;
  event.preventDefault();
  field.focus();
});
showStatus();
startEvents();
startRequests();
await watchRights(again);
start(draw);
