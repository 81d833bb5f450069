// The keys of the player's page.
import {el} from "./dom.js";
import {icon} from "./icons.js";

const KEYS = [
  ["K", "Play or pause"], ["J", "10 seconds back"], ["L", "10 seconds on"], ["M", "Sound off or on"], ["F", "Whole screen"], ["H", "Like"],
  ["P", "Previous"], ["N", "Next"]
];

/** Obeys the keys until the signal aborts; keys that are typed into a field, or with Ctrl and the like, are not meant. */
export function watchKeys(signal, {toggle, seek, mute, fullscreen, like, next, previous}) {
  const actions = {k: toggle, j: () => seek?.(-10), l: () => seek?.(10), m: mute, f: fullscreen, h: like, n: next, p: previous};
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea, dialog")) return;
    const action = actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  }, {signal});
}

export function keyHelp() {
  return el("details", {class: "panel keys"}, el("summary", {}, icon("keyboard"), "Keys"),
    el("dl", {class: "fact-list"}, KEYS.map(([key, word]) => el("div", {}, el("dt", {}, word), el("dd", {}, el("kbd", {}, key))))));
}
