// What is left of today's quota, read when somebody wants to know and kept true by the stream.
import {get} from "./api.js";
import {throttled} from "./dom.js";
import {on} from "./events.js";

const forever = new AbortController().signal;
const watchers = new Set();
let quota;
let follows = false;

const read = throttled(2000, forever, async () => {
  if (watchers.size === 0) return;
  try {
    quota = await get(["quota"], {}, forever);
  } catch {
    // Whoever watches says that it is not known.
    quota = undefined;
  }
  for (const body of watchers) body(quota);
});

// Of units, of which there are many, only the first and the last are worth a question.
const differs = (left) => left?.search !== quota?.search.left || (left?.default > 0) !== (bucketOf("default")?.left > 0);

function follow() {
  follows = true;
  on("sample", forever, (sample) => differs(sample.left) && read());
  on("request", forever, (request) => request.kind === "search" && read());
  on("stale", forever, read);
}

/** Calls `body(quota)` now, when it is known, and at each change until the signal aborts; undefined when the ledger does not answer. */
export function watchQuota(signal, body) {
  if (signal.aborted) return;
  watchers.add(body);
  signal.addEventListener("abort", () => watchers.delete(body));
  if (quota) body(quota);
  if (!follows) follow();
  read();
}

const bucketOf = (name) => quota?.buckets.find((one) => one.name === name);

/** The bucket that has nothing left for what a request needs next; undefined when there is none, and while nobody watches. */
export function missingFor(request) {
  if (!request.active || watchers.size === 0) return undefined;
  const bucket = bucketOf(request.kind === "search" && request.state === "waiting" ? quota?.search.cost.bucket : "default");
  return bucket?.left === 0 ? bucket : undefined;
}
