// What this reader may do, and the dialog that asks for the token.
import {change, get, whenTokenIsWanted} from "./api.js";
import {announce, el} from "./dom.js";
import {icon} from "./icons.js";

let rights = {writable: false, readOnly: false, needsToken: false};
let known = false;
let hears = () => {};

/** Whether what publishes and changes is shown at all: in a read-only catalogue it is not. */
export const mayAsk = () => !rights.readOnly;

function accept(answer) {
  const before = rights.readOnly;
  rights = answer;
  document.documentElement.classList.toggle("read-only", rights.readOnly);
  if (!known || before !== rights.readOnly) hears();
  known = true;
}

/** Asks the server, and calls `body` whenever a catalogue becomes read-only or writable. */
export async function watchRights(body) {
  whenTokenIsWanted(askForToken);
  try {
    accept(await get(["session"]));
  } catch {
    // The page shows by itself that nothing answers; until then nothing is offered that needs a right.
  }
  hears = body;
}

let asking;

/** Shows the dialog; true when the token was right. Two questions at the same time are one. */
export function askForToken() {
  asking ??= dialog().finally(() => (asking = undefined));
  return asking;
}

function dialog() {
  const before = document.activeElement;
  const input = el("input", {
    id: "token",
    type: "password",
    class: "input",
    required: true,
    maxlength: 4096,
    autocomplete: "current-password",
    "aria-describedby": "token-wrong"
  });
  const wrong = el("p", {class: "field-error", id: "token-wrong", role: "alert"});
  const send = el("button", {class: "button primary", type: "submit"}, "Unlock");
  const form = el("form", {class: "dialog-form"}, el("h2", {id: "token-title"}, icon("lock"), "Token needed"),
    el("p", {class: "muted"},
      "Adding channels, searching YouTube and liking are protected here. The token is the catalogue's CATALOG_TOKEN."),
    el("label",
      { for: "token"
      },
      "Token"),
    input, wrong,
    el("div", {class: "dialog-buttons"}, el("button", {type: "button", class: "button quiet", onclick: () => box.close("no")}, "Not now"),
      send));
  const box = el("dialog", {class: "dialog", "aria-labelledby": "token-title"}, form);
  document.body.append(box);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    send.disabled = true;
    try {
      accept(await change("POST", ["session"], {token: input.value}));
      box.close("yes");
    } catch (problem) {
      wrong.textContent = problem.status === 401 ? "That is not the token." : problem.message;
      input.select();
    } finally {
      send.disabled = false;
    }
  });
  box.showModal();
  return new Promise((resolve) => {
    box.addEventListener("close", () => {
      const right = box.returnValue === "yes";
      if (right) announce("Unlocked.");
      box.remove();
      before?.focus?.();
      resolve(right);
    });
  });
}
