// Lines over the last hour, drawn as SVG. The legend is the read-out: it shows the newest values, or those under the pointer.
import {el, show, svg} from "./dom.js";
import {clockTime} from "./format.js";

const HEIGHT = 168;
const EDGE = {
  left: 44,
  right: 12,
  top: 10,
  bottom: 24
};
const HOUR = 3_600_000;

/** A bound that is a little over the highest value and splits into even steps. */
function niceTop(highest) {
  if (highest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 2, 4, 5, 10].find((factor) => factor * power >= highest);
  return step * power;
}

/** `series`: `[{ key, name }]`, whose colours are classes `line-key`; `value(sample, key)` may be undefined. */
export function chart({title, series, value, format, whole = false}) {
  let samples = [];
  let width = 0;
  let hovered;
  const picture = svg("svg", {class: "chart-picture", height: HEIGHT, role: "img", tabindex: 0});
  const readout = el("ul", {class: "legend"});
  const when = el("span", {class: "muted chart-when"});
  const table = el("details", {class: "chart-table"}, el("summary", {}, "As a table"));
  const element =
    el("figure", {class: "chart panel"}, el("figcaption", {}, el("span", {class: "chart-title"}, title), when), readout, picture, table);

  const end = () => Date.parse(samples.at(-1)?.at ?? "") || Date.now();
  const x = (sample) => EDGE.left + ((Date.parse(sample.at) - end() + HOUR) / HOUR) * (width - EDGE.left - EDGE.right);
  const top = () => {
    let highest = 0;
    for (const sample of samples)
      for (const {key} of series) highest = Math.max(highest, value(sample, key) ?? 0);
    return whole ? Math.max(4, niceTop(highest)) : niceTop(highest);
  };

  function drawPicture() {
    if (width === 0) return;
    const bound = top();
    const y = (number) => HEIGHT - EDGE.bottom - (number / bound) * (HEIGHT - EDGE.top - EDGE.bottom);
    picture.setAttribute("width", width);
    picture.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    picture.setAttribute("aria-label", summary());
    show(picture, gridLines(bound, y), timeLines(), series.map(({key}) => line(key, y)), hovered && cross(y));
  }

  function gridLines(bound, y) {
    return [0, bound / 2, bound].map(
      (number) => svg("g", {class: "grid"}, svg("line", {x1: EDGE.left, x2: width - EDGE.right, y1: y(number), y2: y(number)}),
        svg("text", {x: EDGE.left - 8, y: y(number) + 4, "text-anchor": "end"}, format(number))));
  }

  function timeLines() {
    const marks = width < 420 ? [60, 30, 0] : [60, 45, 30, 15, 0];
    return marks.map((minutes) => {
      const at = EDGE.left + (1 - minutes / 60) * (width - EDGE.left - EDGE.right);
      const anchor = minutes === 60 ? "start" : minutes === 0 ? "end" : "middle";
      return svg("text", {class: "tick", x: at, y: HEIGHT - 6, "text-anchor": anchor}, minutes === 0 ? "now" : `−${minutes} min`);
    });
  }

  function line(key, y) {
    let path = "";
    let pen = "M";
    for (const sample of samples) {
      const number = value(sample, key);
      if (number === undefined || x(sample) < EDGE.left) {
        pen = "M";
        continue;
      }
      path += `${pen}${x(sample).toFixed(1)} ${y(number).toFixed(1)}`;
      pen = "L";
    }
    return path && svg("path", {class: `line line-${key}`, d: path});
  }

  function cross(y) {
    return svg("g", {class: "cross"}, svg("line", {x1: x(hovered), x2: x(hovered), y1: EDGE.top, y2: HEIGHT - EDGE.bottom}),
      series.map(({key}) => value(hovered, key) !== undefined &&
          svg("circle", {class: `dot-${key}`, cx: x(hovered), cy: y(value(hovered, key)), r: 4})));
  }

  const text = (sample, key) => (sample === undefined || value(sample, key) === undefined ? "–" : format(value(sample, key)));

  function drawReadout() {
    const sample = hovered ?? samples.at(-1);
    when.textContent = sample ? (hovered ? `at ${clockTime(sample.at, true)}` : "now") : "";
    show(readout,
      series.map(({key, name}) => el("li", {}, el("span", {class: `swatch swatch-${key}`}), el("span", {class: "legend-name"}, name),
                   el("strong", {}, text(sample, key)))));
  }

  const summary = () => `${title}, last hour. Now: ${series.map(({key, name}) => `${name} ${text(samples.at(-1), key)}`).join(", ")}.`;

  function drawTable() {
    if (!table.open) return;
    const step = Math.max(1, Math.ceil(samples.length / 13));
    const rows = samples.filter((_, index) => (samples.length - 1 - index) % step === 0).reverse();
    show(table, el("summary", {}, "As a table"),
      el("div", {class: "table-box", tabindex: 0, role: "region", "aria-label": `${title} as a table`},
        el("table", {},
          el("thead", {}, el("tr", {}, el("th", {scope: "col"}, "Time"), series.map(({name}) => el("th", {scope: "col"}, name)))),
          el("tbody", {},
            rows.map((sample) => el("tr", {}, el("th", {scope: "row"}, clockTime(sample.at, true)),
                       series.map(({key}) => el("td", {}, text(sample, key)))))))));
  }
  table.addEventListener("toggle", drawTable);

  function hover(sample) {
    hovered = sample;
    drawPicture();
    drawReadout();
  }
  const nearest = (at) => samples.reduce((best, sample) => (Math.abs(x(sample) - at) < Math.abs(x(best) - at) ? sample : best), samples[0]);
  picture.addEventListener(
    "pointermove", (event) => samples.length > 0 && hover(nearest(event.clientX - picture.getBoundingClientRect().left)));
  picture.addEventListener("pointerleave", () => hover(undefined));
  picture.addEventListener("blur", () => hover(undefined));
  picture.addEventListener("keydown", (event) => {
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (!step || samples.length === 0) return;
    event.preventDefault();
    const index = hovered ? samples.indexOf(hovered) : samples.length - 1;
    hover(samples[Math.min(samples.length - 1, Math.max(0, index + step))]);
  });
  new ResizeObserver(([entry]) => {
    const now = Math.floor(entry.contentRect.width);
    if (now === width || now <= 0) return;
    width = now;
    drawPicture();
  }).observe(element);

  function update(now) {
    samples = now;
    if (hovered && !samples.includes(hovered)) hovered = undefined;
    drawPicture();
    drawReadout();
    drawTable();
  }
  return {element, update};
}
