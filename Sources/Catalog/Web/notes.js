// What stands where content should be: nothing there, or something went wrong.
import {el} from "./dom.js";
import {icon} from "./icons.js";

/** A picture, a heading, a helpful sentence, and perhaps what to do. */
export function emptyNote({picture = "search", title, text, action}) {
  return el("div", {class: "note empty"}, el("div", {class: "note-picture"}, icon(picture, 28)), el("p", {class: "note-title"}, title),
    text && el("p", {class: "muted"}, text), action);
}

/** What went wrong, with a way to try again. */
export function errorNote(problem, retry) {
  return el("div", {class: "note failed", role: "alert"}, el("div", {class: "note-picture"}, icon("alert", 28)),
    el("p", {class: "note-title"}, problem.status === 404 ? "There is no such thing here" : "That did not work"),
    el("p", {class: "muted", dir: "auto"}, problem.message ?? "Unknown error."),
    retry && el("button", {type: "button", class: "button", onclick: retry}, icon("refresh"), "Try again"));
}
