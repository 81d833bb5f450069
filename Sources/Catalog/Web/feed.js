// An endless list over a cursor: it loads before its end comes into view, has a button for keyboards, takes in what arrives meanwhile,
// and is remembered with its entry of the history.
import {announce, el, show} from "./dom.js";
import {count, number} from "./format.js";
import {errorNote} from "./notes.js";

// A filter that few entries pass gives short pages: so many are asked for in one go before the person decides.
const PAGES_IN_ONE_GO = 12;

/**
 * `load(cursor)` answers `{ items, next }`, and `cut` when only so many entries were looked through; `render(item)` makes an element;
 * `empty()` stands for no items at all.
 * `noun` is what an item is called, `memory` an object that outlives the view.
 */
export function feed({load, render, empty, outline, noun, className, memory, signal, onitems = () => {}}) {
  const state = (memory.feed ??= {items: [], next: undefined, last: undefined, pages: 0, begun: false});
  const nodes = new Map();
  const list = el("ul", {class: `feed ${className}`});
  const end = el("div", {class: "feed-end"});
  const element = el("div", {class: "feed-box", "aria-busy": "false"}, list, end);
  let busy = false;
  let epoch = 0;

  function node(item) {
    const text = JSON.stringify(item);
    const present = nodes.get(item.id);
    if (present?.text === text) return present.node;
    const made = el("li", {}, render(item));
    nodes.set(item.id, {node: made, text});
    return made;
  }

  // Only what differs is touched, so that the focus and the place on the screen stay.
  function draw() {
    const wanted = state.items.map(node);
    const keep = new Set(wanted);
    for (const child of [...list.children])
      if (!keep.has(child)) child.remove();
    wanted.forEach((child, index) => {
      if (list.children[index] !== child) list.insertBefore(child, list.children[index] ?? null);
    });
    drawEnd();
    onitems(state.items, state.next === undefined);
  }

  function drawEnd() {
    list.hidden = state.items.length === 0;
    if (state.next !== undefined) show(end, more);
    else if (state.cut) show(end, el("p", {class: "feed-over"}, cutOff()));
    else if (state.items.length === 0) show(end, empty());
    else show(end, state.items.length > 12 && el("p", {class: "feed-over"}, `That is all: ${count(state.items.length, noun)}.`));
  }

  const cutOff = () =>
    `${count(state.items.length, noun)} of the first ${number(state.cut)}. The list is longer, and its rest is not sorted or filtered.`;

  const more = el("button", {type: "button", class: "button more", onclick: () => extend(true)}, "More");

  function outlines() {
    if (state.items.length === 0) show(list, Array.from({length: 8}, () => el("li", {}, outline())));
    list.hidden = false;
  }

  async function extend(byHand = false) {
    if (busy || (state.begun && state.next === undefined)) return;
    busy = true;
    const mine = epoch;
    element.setAttribute("aria-busy", "true");
    more.disabled = true;
    const before = state.items.length;
    if (!state.begun) outlines();
    try {
      for (let pages = 0; pages < PAGES_IN_ONE_GO; pages += 1) {
        const page = await load(state.next);
        if (mine !== epoch || signal.aborted) return;
        take(page);
        if (state.next === undefined || state.items.length > before) break;
      }
      draw();
      if (before > 0) announce(`${count(state.items.length, noun)} shown.`);
      if (byHand) list.children[before]?.querySelector("a")?.focus();
    } catch (problem) {
      if (problem.name !== "AbortError" && mine === epoch) fail(problem);
    } finally {
      if (mine === epoch) {
        busy = false;
        more.disabled = false;
        element.setAttribute("aria-busy", "false");
        if (!signal.aborted) watchEnd();
      }
    }
  }

  function take(page) {
    const present = new Set(state.items.map((item) => item.id));
    state.items.push(...page.items.filter((item) => !present.has(item.id)));
    state.last = state.begun ? state.next : undefined;
    state.next = page.next;
    state.cut = page.cut;
    state.pages += 1;
    state.begun = true;
  }

  function fail(problem) {
    if (state.items.length === 0) show(list);
    show(end, errorNote(problem, () => extend(true)));
    observer.disconnect();
  }

  // An observer that is set anew tells at once whether the end is in view: a page that did not fill the window is followed by the next.
  const observer =
    new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && extend(), {rootMargin: "900px 0px"});
  function watchEnd() {
    observer.disconnect();
    if (state.next !== undefined && more.isConnected) observer.observe(more);
  }
  signal.addEventListener("abort", () => observer.disconnect());

  /** Reads the beginning and the end again and takes in what is new or different, wherever the reader is. */
  async function refresh() {
    // What could not be read before may be there now.
    if (!state.begun) return extend();
    if (busy) return;
    const mine = epoch;
    const pages = state.pages;
    try {
      const first = await load(undefined);
      const last = pages > 1 && state.next === undefined && first.next !== undefined ? await load(state.last) : undefined;
      if (mine !== epoch || busy || signal.aborted || pages !== state.pages) return;
      if (pages === 1 || first.next === undefined)
        Object.assign(state, {items: first.items, next: first.next, cut: first.cut, pages: 1, last: undefined});
      else merge(first, last);
      draw();
      watchEnd();
    } catch {
      // What is shown stays; the next message of the stream tries again.
    }
  }

  function merge(first, last) {
    const present = new Set(first.items.map((item) => item.id));
    state.items = [...first.items, ...state.items.filter((item) => !present.has(item.id))];
    if (!last) return;
    for (const item of state.items) present.add(item.id);
    state.items.push(...last.items.filter((item) => !present.has(item.id)));
    state.next = last.next;
  }

  /** Begins anew, as after a change of the filter. */
  function restart() {
    epoch += 1;
    busy = false;
    Object.assign(state, {items: [], next: undefined, cut: undefined, last: undefined, pages: 0, begun: false});
    nodes.clear();
    extend();
  }

  if (state.begun) queueMicrotask(() => (draw(), watchEnd()));
  else queueMicrotask(extend);
  return {element, refresh, restart, items: () => state.items};
}
