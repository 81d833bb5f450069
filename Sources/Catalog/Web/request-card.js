// The progress of a request.
import {el, outside, show} from "./dom.js";
import {count, number, table} from "./format.js";
import {icon} from "./icons.js";
import {missingFor, watchQuota} from "./quota.js";
import {cancel, dismiss, nameOf, onRequest, shownRequests} from "./requests.js";
import {link} from "./router.js";
import {mayAsk} from "./session.js";
import {bucketThings, comingTime} from "./wait-words.js";

const STATES = table({
  waiting: "Waiting",
  running: "Under way",
  completed: "Complete",
  cancelled: "Cancelled",
  expired: "Expired",
  failed: "Failed",
  notFound: "Not found",
  rejected: "Refused",
});
const BAD = new Set(["failed", "notFound", "rejected", "expired"]);

// A cancelled request needs no quota to end.
const lacking = (request) => (request.cancelRequestedAt ? undefined : missingFor(request));

export function stateWord(request) {
  if (request.cancelRequestedAt && request.active) return "Being cancelled";
  return lacking(request) ? "Waits for quota" : STATES[request.state] ?? request.state;
}

function toneOf(request) {
  if (request.active) return lacking(request) ? "warn" : "busy";
  return BAD.has(request.state) ? "bad" : request.state === "completed" ? "good" : "";
}

export function statePill(request) {
  return el("span", {class: `pill ${toneOf(request)}`}, stateWord(request));
}

/** Where the results of a request are, once there can be some. */
export function resultsAddress(request) {
  if (request.kind === "search") return link(["searches", request.id]);
  if (request.channelId) return link(["channels", request.channelId]);
  return request.playlistId ? link(["searches", request.id]) : undefined;
}

function facts(request) {
  const of = request.expected !== undefined && request.expected >= request.videos ? ` of ${number(request.expected)}` : "";
  return [
    (request.kind === "channel" || request.videos > 0) &&
      el("span", {}, `${number(request.videos)}${of} ${request.videos === 1 && !of ? "video" : "videos"}`),
    request.pages > 0 && el("span", {}, count(request.pages, "page")),
    request.unavailable > 0 && el("span", {}, `${number(request.unavailable)} unavailable`),
    request.failedPages > 0 && el("span", {class: "bad-text"}, `${count(request.failedPages, "page")} failed`),
    request.units > 0 && el("span", {}, count(request.units, "unit")),
    request.searches > 0 && el("span", {}, count(request.searches, "search", "searches")),
  ];
}

// A worker may hold the request or not: neither goes on before the reset.
function wait(request) {
  const bucket = lacking(request);
  return bucket &&
    el("p", {class: "facts"}, `Today’s ${bucketThings(bucket.name)} are used up. It can go on at `, comingTime(bucket.resetsAt), ".");
}

function bar(request) {
  const share = request.expected > 0 ? Math.min(1, request.videos / request.expected) : undefined;
  const progress = el("progress", {class: "progress", max: 1, "aria-label": `Progress of ${nameOf(request)}`});
  if (share !== undefined) progress.value = share;
  return progress;
}

/** A card that keeps itself true until the signal aborts. */
export function requestCard(request, {signal, link: linked = true} = {}) {
  const box = el("article", {class: "request-card", data: {id: request.id}});
  let now = request;
  const draw = () => {
    const address = linked && resultsAddress(now);
    const name = nameOf(now);
    box.dataset.state = now.state;
    const held = box.contains(document.activeElement) ? document.activeElement.dataset.part : undefined;
    show(box,
      el("div", {class: "request-head"},
        el("p", {class: "request-name"}, now.kind === "search" && icon("search", 16),
          address ? el("a", {href: address, data: {part: "open"}}, outside(name)) : outside(name)),
        statePill(now),
        mayAsk() && now.active && !now.cancelRequestedAt &&
          el("button", {
            type: "button",
            class: "button quiet small",
            data: {part: "cancel"},
            "aria-label": `Cancel ${name}`,
            onclick: () => cancel(now.id)
          },
            "Cancel"),
        !now.active && linked &&
          el("button", {
            type: "button",
            class: "icon-button small",
            data: {part: "close"},
            "aria-label": `Dismiss ${name}`,
            onclick: () => dismiss(now.id)
          },
            icon("close", 16))),
      now.active && bar(now), wait(now), now.error && el("p", {class: "bad-text", dir: "auto"}, now.error.message),
      el("p", {class: "dotted facts"}, facts(now)));
    if (held) box.querySelector(`[data-part=${held}]`)?.focus();
  };
  onRequest(signal, (one) => one?.id === request.id && draw((now = one)));
  draw();
  if (now.active) watchQuota(signal, () => now.active && draw());
  return box;
}

// More cards would push what the page is about out of sight.
const MOST_CARDS = 6;

/** The cards of all requests under way, or of those that were made in this page. */
export function requestStrip(signal, {onlyMine = false} = {}) {
  const box = el("section", {class: "requests", "aria-label": "Requests"});
  const rest = el("a", {class: "more-requests", href: link(["pipeline"])});
  const cards = new Map();
  const draw = () => {
    const all = shownRequests({onlyMine});
    const wanted = all.slice(0, MOST_CARDS);
    const ids = new Set(wanted.map((request) => request.id));
    for (const [id, card] of cards) {
      if (ids.has(id)) continue;
      card.remove();
      cards.delete(id);
    }
    for (const request of [...wanted].reverse()) {
      if (cards.has(request.id)) continue;
      const card = requestCard(request, {signal});
      cards.set(request.id, card);
      box.prepend(card);
    }
    box.hidden = cards.size === 0;
    if (all.length <= wanted.length) return rest.remove();
    rest.textContent = `and ${count(all.length - wanted.length, "more request")}`;
    box.append(rest);
  };
  onRequest(signal, draw);
  draw();
  return box;
}
