// One stream of server-sent events for the whole page. It rests while the page is hidden, so that many tabs do not use up the
// browser's connections to the catalogue; whoever listens hears `stale` afterwards and reads again what it shows.

const target = new EventTarget();
const KINDS = ["request", "sample", "event", "catalogue"];
let source;
let wait = 1000;
let timer = 0;
let broken = false;

function tell(kind, data) { target.dispatchEvent(new CustomEvent(kind, {detail: data})); }

function open() {
  clearTimeout(timer);
  source?.close();
  source = new EventSource("/api/events");
  source.addEventListener("open", () => {
    wait = 1000;
    tell("connection", {live: true});
    if (broken) tell("stale", {});
    broken = false;
  });
  source.addEventListener("error", () => {
    broken = true;
    tell("connection", {live: false});
    // An answer with an error status closes the source for good, unlike a broken connection.
    if (source.readyState === EventSource.CLOSED && !document.hidden) {
      timer = setTimeout(open, wait);
      wait = Math.min(wait * 2, 30_000);
    }
  });
  source.addEventListener("lost", () => tell("stale", {}));
  for (const kind of KINDS) source.addEventListener(kind, (event) => receive(kind, event.data));
}

function receive(kind, text) {
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    // A message that is not JSON is as good as a lost one.
    tell("stale", {});
    return;
  }
  tell(kind, data);
}

/** Begins to listen to the server. */
export function startEvents() {
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      clearTimeout(timer);
      source?.close();
      broken = true;
    } else {
      open();
    }
  });
  addEventListener("pagehide", () => source?.close());
  addEventListener("pageshow", (event) => event.persisted && ((broken = true), open()));
  if (!document.hidden) open();
}

/** Calls `body(data)` at each message of a kind (request, sample, event, catalogue, stale, connection) until the signal aborts. */
export function on(kind, signal, body) { target.addEventListener(kind, (event) => body(event.detail), {signal}); }
