// What happened lately: events, requests, dead letters.
import {get} from "./api.js";
import {timeTag} from "./cards.js";
import {el, outside, show, throttled} from "./dom.js";
import {stageName} from "./flow.js";
import {ago, clockTime, count, number, table} from "./format.js";
import {emptyNote, errorNote} from "./notes.js";
import {resultsAddress, statePill} from "./request-card.js";
import {watchQuota} from "./quota.js";
import {cancel, nameOf} from "./requests.js";
import {mayAsk} from "./session.js";

const WORDS = table({
  resolved: "found",
  page: "page",
  pageFailed: "page failed",
  completed: "complete",
  notFound: "not found",
  failed: "failed",
  cancelled: "cancelled",
  expired: "expired",
  rejected: "refused",
});
const LIMITS = table({
  ceiling: "YouTube’s limit",
  maxVideos: "the number wanted",
  maxResults: "the number wanted",
  publishedAfter: "the date wanted",
  since: "what was known",
});
const BAD = new Set(["pageFailed", "notFound", "failed", "expired", "rejected"]);
const MOST = 50;

function eventLine(event) {
  const details = [
    event.pageNumber !== undefined && `page ${number(event.pageNumber)}`,
    event.records !== undefined && count(event.records, "record"),
    event.truncatedBy && `ended by ${LIMITS[event.truncatedBy] ?? event.truncatedBy}`,
  ].filter(Boolean).join(", ");
  return el("li", {class: "event"}, el("span", {class: "event-time"}, event.at && timeTag(event.at, clockTime(event.at, true))),
    el("span", {class: `mark ${
                  BAD.has(event.type)            ? "bad"
                    : event.type === "completed" ? "good"
                                                 : ""}`},
      WORDS[event.type] ?? event.type),
    el("span", {class: "event-words"}, outside(event.title || event.reference || event.requestId),
      details && el("span", {class: "muted"}, ` ${details}`),
      event.error && el("span", {class: "bad-text", dir: "auto"}, ` ${event.error.message}`)),
    el("span", {class: "event-stage muted"}, stageName(event.stage)));
}

export function eventList() {
  let events = [];
  const list = el("ol");
  const box = el("div", {class: "events panel", tabindex: 0, role: "region", "aria-label": "Events, newest first"}, list);
  const draw = () => show(list,
    events.length > 0 ? events.map(eventLine)
                      : el("li", {class: "quiet-line muted"}, "Nothing has happened yet. Add a channel, and watch."));
  return {
    element: box,
    set(now) {
      events = now.slice(0, MOST);
      draw();
    },
    add(event) {
      events = [event, ...events].slice(0, MOST);
      draw();
    },
  };
}

export function requestTable(signal) {
  const box = el("div", {class: "asked panel", tabindex: 0, role: "region", "aria-label": "Requests, newest first"});
  const line = (request) => {
    const address = resultsAddress(request);
    const name = nameOf(request);
    return el("li", {class: "asked-line"},
      el("span", {class: "asked-name"}, address ? el("a", {href: address}, outside(name)) : outside(name)),
      el("span", {class: "muted asked-facts"}, request.videos > 0 ? count(request.videos, "video") : request.kind,
        request.begunAt && [" · ", timeTag(request.begunAt, ago(request.begunAt))]),
      statePill(request),
      mayAsk() && request.active && !request.cancelRequestedAt &&
        el("button", {type: "button", class: "button quiet small", "aria-label": `Cancel ${name}`, onclick: () => cancel(request.id)},
          "Cancel"));
  };
  let requests = [];
  let watches = false;
  const draw = () => {
    show(box,
      requests.length > 0 ? el("ol", {}, requests.map(line))
                          : el("p", {class: "quiet-line muted"}, "Nobody has asked for anything yet."));
    if (watches || !requests.some((one) => one.active)) return;
    watches = true;
    watchQuota(signal, draw);
  };
  const read = async () => {
    try {
      ({requests} = await get(["requests"], {limit: 30}, signal));
      draw();
    } catch (problem) {
      if (problem.name !== "AbortError" && !box.querySelector("ol")) show(box, errorNote(problem, read));
    }
  };
  read();
  return {element: box, refresh: throttled(1500, signal, read)};
}

export function deadLetterList() {
  const box = el("div", {class: "letters"});
  return {
    element: box,
    set(letters) {
      if (letters.length === 0) {
        show(box, emptyNote({picture: "check", title: "No dead letters", text: "Every message was worked off, or will be tried again."}));
        return;
      }
      show(box,
        el("ul", {class: "panel letter-list"},
          letters.map((letter) => el("li", {class: "letter"},
                        el("div", {}, el("code", {}, letter.id), " ", letter.code && el("span", {class: "mark bad"}, letter.code),
                          letter.failedAt && el("span", {class: "muted"}, " ", timeTag(letter.failedAt, ago(letter.failedAt)))),
                        letter.message && el("p", {dir: "auto"}, letter.message),
                        letter.key && el("p", {class: "muted"}, "Key: ", outside(letter.key))))),
        el("p", {class: "help"}, "Settle them with ", el("code", {}, "tubeline dead-letters"), "."));
    },
  };
}
