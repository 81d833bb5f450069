// A long text that shows its first lines until it is unfolded.
import {el} from "./dom.js";

let folds = 0;

/** Plain text with its line breaks; a button appears when it does not fit. */
export function folded(text, {lines = 3} = {}) {
  const id = `folded-${(folds += 1)}`;
  const words = el("div", {class: `folded-text lines-${lines}`, id, dir: "auto"}, text);
  const button =
    el("button", {type: "button", class: "link-button", "aria-expanded": "false", "aria-controls": id, hidden: true}, "Show more");
  button.addEventListener("click", () => {
    const open = words.classList.toggle("open");
    button.setAttribute("aria-expanded", open);
    button.textContent = open ? "Show less" : "Show more";
  });
  // Whether it fits is known once it is laid out, and again when the window changes.
  const observer = new ResizeObserver(() => {
    if (!words.isConnected) observer.disconnect();
    else if (!words.classList.contains("open")) button.hidden = words.scrollHeight <= words.clientHeight + 2;
  });
  observer.observe(words);
  return el("div", {class: "folded"}, words, button);
}
