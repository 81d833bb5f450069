// All channels, or those that are found.
import {addChannel} from "./add-channel.js";
import {get} from "./api.js";
import {channelList} from "./channel-list.js";
import {choice} from "./choices.js";
import {el, outside, show, throttled} from "./dom.js";
import {on} from "./events.js";
import {brief, count, matches, number} from "./format.js";
import {emptyNote} from "./notes.js";
import {requestStrip} from "./request-card.js";
import {go, link} from "./router.js";
import {mayAsk} from "./session.js";
import {youtubeOffer} from "./youtube-offer.js";

const SORTS = [["title", "By title"], ["fetched", "Last fetched"], ["videos", "Most videos"]];

export function channelsView({query, memory, signal}) {
  const q = query.get("q")?.trim() ?? "";
  return q ? foundChannels(q, memory, signal) : allChannels(query, memory, signal);
}

function allChannels(query, memory, signal) {
  const sort = SORTS.some(([key]) => key === query.get("sort")) ? query.get("sort") : "title";
  const total = el("p", {class: "muted", id: "total"});
  const list = channelList({
    path: ["channels"],
    asked: {sort},
    memory,
    signal,
    empty: () => emptyNote({
      picture: "channels",
      title: "No channels yet",
      text: mayAsk() ? "Add one above: type @Google, for example, and press Enter." : "Nothing has been harvested into this catalogue yet."
    }),
  });
  const tell = (now) => show(total, `${count(now.channels, "channel")} · ${count(now.videos, "video")} · ${number(now.liked)} liked`);
  get(["catalogue"], {}, signal).then(tell, () => {});
  const refresh = throttled(1500, signal, list.refresh);
  on("catalogue", signal, (now) => (tell(now), refresh()));
  on("stale", signal, refresh);
  const element = el("div", {class: "page"},
    el("div", {class: "page-head"}, el("div", {}, el("h1", {tabindex: -1}, "Channels"), total), mayAsk() && addChannel()),
    requestStrip(signal), el("div", {class: "list-bar"}, choice({
      label: "Order",
      options: SORTS,
      value: sort,
      onchange: (key) => go(link(["channels"], {sort: key === "title" ? "" : key}), {replace: true})
    })),
    list.element);
  return {title: "Channels", element};
}

function foundChannels(q, memory, signal) {
  const total = el("p", {class: "muted", role: "status"});
  const list = channelList({
    path: ["search"],
    asked: {q, type: "channels"},
    onpage: (page) => show(total, matches(page), " in the catalogue"),
    memory,
    signal,
    empty: () => emptyNote(
      {title: "No channel like that here", text: mayAsk() ? "Try fewer or other words, or look on YouTube." : "Try fewer or other words."}),
  });
  const element = el("div", {class: "page"},
    el("div", {class: "page-head"}, el("div", {}, el("h1", {tabindex: -1}, "Channels: ", outside(brief(q))), total)),
    mayAsk() && youtubeOffer(q, "channels", signal), requestStrip(signal, {onlyMine: true}), list.element);
  return {title: `${brief(q, 40)} in channels`, element};
}
