// Elements are made here and only here. Text becomes text nodes, so nothing from outside is ever read as markup.

const SVG = "http://www.w3.org/2000/svg";

/** Makes an element: `el("a", { class: "card", href: "#/…", onclick: f }, "text", otherElement)`. */
export function el(tag, properties = {}, ...children) { return fill(document.createElement(tag), properties, children); }

/** The same for SVG. */
export function svg(tag, properties = {}, ...children) { return fill(document.createElementNS(SVG, tag), properties, children); }

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on") && typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(node.dataset, value);
    else if (name === "href" || name === "src") setAddress(node, name, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
}

// An address from outside could be `javascript:`; the policy would stop it, and so does this.
function setAddress(node, name, value) {
  let url;
  try {
    url = new URL(value, location.href);
  } catch {
    return;
  }
  if (url.protocol === "https:" || url.origin === location.origin) node.setAttribute(name, value);
}

/** Text from outside inside a sentence of ours: its direction is its own and does not leak. */
export function outside(text, properties = {}) { return el("bdi", {dir: "auto", ...properties}, text); }

/** Replaces what an element holds. */
export function show(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}

let announcement = 0;

/** Says a sentence to screen readers. */
export function announce(text) {
  const region = document.getElementById("announce");
  clearTimeout(announcement);
  region.textContent = "";
  announcement = setTimeout(() => (region.textContent = text), 60);
}

/** A short message at the edge of the window, which leaves by itself unless it is an error. */
export function toast(text, {error = false, action} = {}) {
  const close = () => box.remove();
  const box = el("div", {class: error ? "toast error" : "toast", role: error ? "alert" : undefined},
    el("span", {class: "toast-text", dir: "auto"}, text),
    action && el("button", {type: "button", class: "button quiet small", onclick: () => (close(), action.run())}, action.label),
    el("button", {type: "button", class: "icon-button small", "aria-label": "Dismiss", onclick: close}, "✕"));
  const list = document.getElementById("toasts");
  while (list.childElementCount > 2) list.firstElementChild.remove();
  list.append(box);
  if (!error) {
    announce(text);
    setTimeout(close, 6000);
  }
}

/** A function that runs at most once every `milliseconds`, at once and again at the end when it was called meanwhile. */
export function throttled(milliseconds, signal, body) {
  let timer = 0;
  let again = false;
  const run = () => {
    again = false;
    timer = setTimeout(() => {
      timer = 0;
      if (again && !signal.aborted) run();
    }, milliseconds);
    body();
  };
  signal.addEventListener("abort", () => clearTimeout(timer));
  return () => {
    if (signal.aborted) return;
    if (timer) again = true;
    else run();
  };
}
