// What is left of today's quota, read when somebody wants to know and kept true by the stream.
import {get} from "./api.js";
import {throttled} from "./dom.js";
import {on} from "./events.js";

let quota;

/** Calls `body(quota)` now, when it is known, and at each change until the signal aborts; undefined when the ledger does not answer. */
export function watchQuota(signal, body) {
  const read = throttled(2000, signal, async () => {
    try {
      quota = await get(["quota"], {}, signal);
    } catch (problem) {
      if (problem.name === "AbortError") return;
      quota = undefined;
    }
    if (!signal.aborted) body(quota);
  });
  if (quota) body(quota);
  read();
  on("sample", signal, (sample) => {
    if (sample.left?.search !== quota?.search.left) read();
  });
  on("request", signal, (request) => request.kind === "search" && read());
  on("stale", signal, read);
}
