// Controls for choosing: segments (one of few, as radio buttons) and selects.
import {el} from "./dom.js";

let groups = 0;

/** One of a few: `options` are `[value, word, icon?]`. `set(value)` changes it from outside without calling `onchange`. */
export function segments({label, options, value, onchange, className = ""}) {
  const name = `segments-${(groups += 1)}`;
  const inputs = options.map(
    ([key]) => el(
      "input", {type: "radio", name, value: key, checked: key === value, data: {part: `${label}: ${key}`}, onchange: () => onchange(key)}));
  const element = el("fieldset", {class: `segments ${className}`}, el("legend", {class: "unseen"}, label),
    options.map(([, word, picture], index) => el("label", {class: "segment"}, inputs[index], el("span", {}, picture, word))));
  const set = (key) => inputs.forEach((input) => (input.checked = input.value === key));
  return {element, set};
}

/** One of many, with its label before it. */
export function choice({label, options, value, onchange}) {
  const select = el("select", {class: "select", data: {part: label}, onchange: () => onchange(select.value)},
    options.map(([key, word]) => el("option", {value: key}, word)));
  select.value = options.some(([key]) => key === value) ? value : options[0][0];
  return el("label", {class: "choice"}, el("span", {class: "choice-label"}, label), select);
}
