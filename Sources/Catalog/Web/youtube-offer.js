// The offer to search YouTube itself: what it costs, what is left today, and the button that publishes the request.
import {el, outside, show, toast} from "./dom.js";
import {clockTime, count, number, until} from "./format.js";
import {icon} from "./icons.js";
import {watchQuota} from "./quota.js";
import {publish} from "./requests.js";
import {go, link} from "./router.js";

const sentence = (quota) => {
  if (!quota) return ["What is left of today’s searches is not known at the moment."];
  const {cost, left, resetsAt} = quota.search;
  const bucket = quota.buckets.find((one) => one.name === cost.bucket);
  const of = bucket ? ` of today’s ${number(bucket.limit)}` : "";
  if (left < cost.each)
    return [
      `Today’s ${bucket ? number(bucket.limit) : ""} searches are used up. New ones in ${until(resetsAt)} (at ${clockTime(resetsAt)}).`
    ];
  return [
    "Costs ", el("strong", {}, bucket?.unit === "searches" ? count(cost.each, "search", "searches") : count(cost.each, "unit")), ". ",
    el("strong", {}, number(left)), `${of} are left.`
  ];
};

/** For what is typed in the field: `scope` is channels or videos. */
export function youtubeOffer(query, scope, signal) {
  const words = el("p", {class: "offer-words muted", id: "offer-cost"}, "…");
  const button = el("button", {type: "button", class: "button primary", "aria-describedby": "offer-cost", data: {publishes: ""}},
    icon("search"), "Search YouTube");
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const request = await publish({search: {query, type: [scope === "channels" ? "channel" : "video"]}});
      go(link(["searches", request.id], {type: scope}));
    } catch (problem) {
      if (problem.status !== 401) toast(problem.message, {error: true});
    } finally {
      button.disabled = false;
    }
  });
  watchQuota(signal, (quota) => {
    show(words, sentence(quota));
    const usedUp = quota !== undefined && quota.search.left < quota.search.cost.each;
    button.toggleAttribute("disabled", usedUp);
  });
  return el("section", {class: "offer", "aria-label": "Search YouTube"},
    el("div", {}, el("p", {class: "offer-title"}, `Look on YouTube for ${scope} about `, outside(`“${query}”`)), words), button);
}
