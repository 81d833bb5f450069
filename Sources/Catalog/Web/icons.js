// The page's pictures: strokes on a grid of 24.
import {svg} from "./dom.js";

const SHAPES = {
  channels: ["M4 6.5h16M4 12h16M4 17.5h10"],
  videos:
    ["M4.5 5.5h15a1.5 1.5 0 0 1 1.5 1.5v10a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17V7a1.5 1.5 0 0 1 1.5-1.5z", "M10 9.2v5.6l4.8-2.8z"],
  pipeline: ["M3 12h3.5l2.5-6.5 4.5 13 3-8.5 1.5 2H21"],
  search: ["M10.8 4.5a6.3 6.3 0 1 0 0 12.6 6.3 6.3 0 0 0 0-12.6z", "M15.6 15.6 20 20"],
  heart: ["M12 20s-7.8-4.6-7.8-10.4A4.4 4.4 0 0 1 12 6.9a4.4 4.4 0 0 1 7.8 2.7C19.8 15.4 12 20 12 20z"],
  play: ["M8 5.2v13.6L19 12z"],
  plus: ["M12 5v14M5 12h14"],
  refresh: ["M19.5 12a7.5 7.5 0 1 1-2.2-5.3L19.5 9", "M19.5 4.2V9h-4.8"],
  external: ["M13.5 4.5h6v6", "M19.5 4.5 11 13", "M17 14v4a1.5 1.5 0 0 1-1.5 1.5H6A1.5 1.5 0 0 1 4.5 18V8.5A1.5 1.5 0 0 1 6 7h4"],
  close: ["M6 6l12 12M18 6 6 18"],
  previous: ["M14.5 6 8.5 12l6 6"],
  next: ["M9.5 6l6 6-6 6"],
  lock: ["M7 11V8a5 5 0 0 1 10 0v3", "M6 11h12a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1z"],
  alert: ["M12 4 2.8 19.5h18.4z", "M12 10v4.5M12 17v.2"],
  check: ["M5 12.5l4.5 4.5L19 7.5"],
  keyboard:
    ["M4 7h16a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1z", "M7 10.4h.1M10.3 10.4h.1M13.6 10.4h.1M17 10.4h.1M8 13.8h8"],
  mail: ["M4 6.5h16v11H4z", "M4 7l8 6 8-6"],
};

/** An icon that says nothing to screen readers; its button or link has a label. */
export function icon(name, size = 20) {
  return svg("svg",
    {class: `icon icon-${name}`, viewBox: "0 0 24 24", width: size, height: size, "aria-hidden": "true", focusable: "false"},
    SHAPES[name].map((d) => svg("path", {d})));
}
