// Addresses of views live behind the `#`, so every view survives a reload, and back and forward work without help from the server.

const PLACES = /^#\/([^?]*)(?:\?(.*))?$/;

/** What an address names: `{ path: ["channels", "UC…"], query: URLSearchParams }`. */
export function parse(hash) {
  const match = PLACES.exec(hash) ?? ["", "", ""];
  const path = match[1].split("/").filter(Boolean).map(decoded);
  return {path, query: new URLSearchParams(match[2] ?? "")};
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a view; absent and empty parameters are left out. */
export function link(path, query = {}) {
  const parameters = new URLSearchParams();
  for (const [name, value] of query instanceof URLSearchParams ? query : Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") parameters.set(name, value);
  }
  const text = parameters.toString();
  return `#/${path.map(encodeURIComponent).join("/")}${text ? `?${text}` : ""}`;
}

const memories = new Map();
let nextKey = Date.now();
let render = () => {};

// What a view had loaded stays with its entry of the history: back shows the same list at the same place at once.
function memoryOfEntry() {
  let key = history.state?.key;
  if (key === undefined) {
    key = nextKey += 1;
    history.replaceState({key}, "");
  }
  const memory = memories.get(key) ?? {scroll: 0};
  memories.delete(key);
  memories.set(key, memory);
  while (memories.size > 8) memories.delete(memories.keys().next().value);
  return memory;
}

let current;
let here;
let before;

/** The address that was shown before this one. */
export const cameFrom = () => before;

function arrive(replaced) {
  current = memoryOfEntry();
  if (location.hash !== here) [before, here] = [here, location.hash];
  render(parse(location.hash), current, {replaced});
}

/** Goes to an address; `replace` leaves no entry to go back to. */
export function go(address, {replace = false} = {}) {
  if (address === location.hash) return;
  if (replace) {
    history.replaceState(null, "", address);
    arrive(true);
  } else {
    location.hash = address;
  }
}

/** Draws the view again, with nothing remembered. */
export function again() {
  memories.delete(history.state?.key);
  arrive(true);
}

/** Calls `body(route, memory, how)` now and whenever the address changes. */
export function start(body) {
  render = body;
  history.scrollRestoration = "manual";
  addEventListener("hashchange", () => arrive(false));
  addEventListener("scroll", () => current && (current.scroll = scrollY), {passive: true});
  if (!PLACES.test(location.hash)) history.replaceState(null, "", "#/channels");
  arrive(false);
}
