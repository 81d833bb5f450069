// Requests that this page knows: the ones under way, and those that it made itself until they are dismissed.
import {change, get} from "./api.js";
import {announce, toast} from "./dom.js";
import {on} from "./events.js";
import {brief, count, table} from "./format.js";

const known = new Map();
const mine = new Set();
const target = new EventTarget();
const forever = new AbortController().signal;

/** All known requests, newest first. */
export const requests = () => [...known.values()].sort((a, b) => (b.begunAt ?? "").localeCompare(a.begunAt ?? ""));

export const requestOf = (id) => known.get(id);

// A search asks for each channel that it finds by a request of its own, whose id begins with the search's.
const isPartOfKnown = (id) => id.includes("/") && known.has(id.slice(0, id.lastIndexOf("/")));

/** Those that are worth a card: asked for here and not dismissed, then those under way. */
export const shownRequests = ({onlyMine = false} = {}) =>
  requests()
    .filter((request) => (!onlyMine && request.active && !isPartOfKnown(request.id)) || mine.has(request.id))
    .sort((a, b) => mine.has(b.id) - mine.has(a.id));

function take(request) {
  const before = known.get(request.id);
  if (before && before.updatedAt > request.updatedAt) return;
  known.set(request.id, request);
  if (known.size > 300) forgetOldest();
  if (before && mine.has(request.id)) speak(before, request);
  target.dispatchEvent(new CustomEvent("request", {detail: request}));
}

function forgetOldest() {
  for (const [id, request] of known) {
    if (request.active || mine.has(id)) continue;
    known.delete(id);
    return;
  }
}

export const nameOf = (request) => request.title || request.reference || request.id;

const ENDS = table({
  completed: "is complete",
  notFound: "was not found",
  failed: "failed",
  cancelled: "was cancelled",
  expired: "expired",
  rejected: "was refused"
});

function speak(before, request) {
  if (request.active) {
    const quarter = (of) => (of.expected ? Math.floor((4 * of.videos) / of.expected) : 0);
    if (quarter(before) !== quarter(request)) announce(`${brief(nameOf(request))}: ${count(request.videos, "video")} so far.`);
  } else if (before.active) {
    announce(`${brief(nameOf(request))} ${ENDS[request.state] ?? "ended"}.`);
  }
}

/** Begins to follow the requests. */
export function startRequests() {
  const read = async () => {
    try {
      const page = await get(["requests"], {state: "active", limit: 100});
      const active = new Set(page.requests.map((request) => request.id));
      page.requests.forEach(take);
      // What ended while nobody listened is asked for one by one.
      for (const request of known.values())
        if (request.active && !active.has(request.id)) readOne(request.id);
    } catch {
      // The views say that nothing answers.
    }
  };
  on("request", forever, take);
  on("stale", forever, read);
  read();
}

/** Reads one request; for the address of a search that was made elsewhere. */
export async function readOne(id, signal) {
  const {events, pageFailures, ...request} = await get(["requests", id], {}, signal);
  take(request);
  return {...request, events, pageFailures};
}

/** Publishes a request and follows it. */
export async function publish(body) {
  const request = await change("POST", ["requests"], body);
  mine.add(request.id);
  take(request);
  announce("Asked. Progress follows.");
  return request;
}

/** Orders that a request ends. */
export async function cancel(id) {
  try {
    take(await change("DELETE", ["requests", id]));
  } catch (problem) {
    if (problem.status !== 401) toast(problem.message, {error: true});
  }
}

export function dismiss(id) {
  mine.delete(id);
  target.dispatchEvent(new CustomEvent("request", {detail: known.get(id)}));
}

/** Calls `body(request)` at each change until the signal aborts. */
export function onRequest(signal, body) { target.addEventListener("request", (event) => body(event.detail), {signal}); }
