// The form that adds a channel by any reference.
import {el, outside, show, toast} from "./dom.js";
import {icon} from "./icons.js";
import {publish} from "./requests.js";
import {link} from "./router.js";

/** Publishes a channel request and shows its progress among the requests. */
export function addChannel() {
  const input = el("input", {
    id: "add",
    class: "input",
    type: "text",
    required: true,
    maxlength: 2048,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    enterkeyhint: "send",
    placeholder: "@handle, name, id or link",
    "aria-describedby": "add-help add-wrong",
    dir: "auto"
  });
  const wrong = el("p", {class: "field-error", id: "add-wrong", role: "alert"});
  const button = el("button", {type: "submit", class: "button primary"}, icon("plus"), "Add");
  const form = el("form", { class: "add-form", "aria-label": "Add a channel" },
    el("label", { class: "add-label", for: "add" }, "Add a channel"),
    el("div", { class: "add-row" }, input, button),
    el("p", { class: "help", id: "add-help" }, "Costs about 2 units of the quota for every 50 videos."), wrong);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const channel = input.value.trim();
      wrong.textContent = "";
      if (!channel) return;
      button.disabled = true;
      try {
        await publish({channel});
        input.value = "";
      } catch (problem) {
        if (problem.status === 422 || problem.status === 400) show(wrong, complaint(channel, problem));
        else if (problem.status !== 401) toast(problem.message, {error: true});
      } finally {
        button.disabled = false;
        input.focus();
      }
    });
    input.addEventListener("input", () => (wrong.textContent = ""));
    return form;
}

// What has blanks is no reference, but may be found.
function complaint(channel, problem) {
  // The member of the body that the problem is about is the only one that there is.
  if (!/\s/.test(channel)) return outside(problem.message.replace(/^channel: /, ""));
  return [
    "A name with blanks is neither a handle nor a user name. ", el("a", {href: link(["channels"], {q: channel})}, "Search for it"), "."
  ];
}

/** Whether most of a channel's videos are not here: it was only found, or some of them. */
export const isPartial = ({videos, videoCount}) => videos === 0 || videos * 2 < videoCount;

/** Asks for what is new in a channel, or for all of it when most of it is not here. */
export async function refreshChannel(channel) {
    try {
      await publish(isPartial(channel) ? {channel: channel.id} : {channel: channel.id, since: "last"});
    } catch (problem) {
      if (problem.status !== 401) toast(problem.message, {error: true});
    }
}
