// The videos of all channels, or those that are found in the catalogue.
import {get} from "./api.js";
import {el, outside, show, throttled} from "./dom.js";
import {on} from "./events.js";
import {brief, count, matches} from "./format.js";
import {emptyNote} from "./notes.js";
import {requestStrip} from "./request-card.js";
import {mayAsk} from "./session.js";
import {videoList} from "./video-list.js";
import {youtubeOffer} from "./youtube-offer.js";

export function videosView({query, memory, signal}) {
  const q = query.get("q")?.trim() ?? "";
  return q ? foundVideos(q, query, memory, signal) : allVideos(query, memory, signal);
}

function allVideos(query, memory, signal) {
  const total = el("p", {class: "muted"});
  const tell = (now) =>
    show(total, count(now.videos, "video"), now.retentionDays ? `, kept for ${now.retentionDays} days after they were fetched` : "");
  get(["catalogue"], {}, signal).then(tell, () => {});
  const list = videoList({
    parts: ["videos"],
    path: ["videos"],
    within: {list: "catalogue"},
    byChannel: true,
    query,
    memory,
    signal,
    nothing: () =>
      emptyNote({picture: "videos", title: "No videos yet", text: "They appear here as soon as a channel’s first page is harvested."})
  });
  const refresh = throttled(1500, signal, list.refresh);
  on("catalogue", signal, (now) => (tell(now), refresh()));
  on("stale", signal, refresh);
  const element =
    el("div", {class: "page"}, el("div", {class: "page-head"}, el("div", {}, el("h1", {tabindex: -1}, "Videos"), total)), list.element);
  return {title: "Videos", element};
}

function foundVideos(q, query, memory, signal) {
  const total = el("p", {class: "muted", role: "status"});
  const list = videoList({
    parts: ["search"],
    parameters: {q, type: "videos"},
    path: ["videos"],
    place: {q},
    within: {list: "query", q},
    found: true,
    byChannel: true,
    query,
    memory,
    signal,
    onpage: (page) =>
      show(total, matches(page), " in the catalogue"),
    nothing: () => emptyNote(
      {title: "No video like that here", text: mayAsk() ? "Try fewer or other words, or look on YouTube." : "Try fewer or other words."})
  });
  const element = el("div", {class: "page"},
    el("div", {class: "page-head"}, el("div", {}, el("h1", {tabindex: -1}, "Videos: ", outside(brief(q))), total)),
    mayAsk() && youtubeOffer(q, "videos", signal), requestStrip(signal, {onlyMine: true}), list.element);
  return {title: `${brief(q, 40)} in videos`, element};
}
