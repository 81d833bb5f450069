// What a search on YouTube, or a playlist, brought.
import {channelList} from "./channel-list.js";
import {segments} from "./choices.js";
import {el, outside, show, throttled} from "./dom.js";
import {on} from "./events.js";
import {brief} from "./format.js";
import {emptyNote, errorNote} from "./notes.js";
import {requestCard} from "./request-card.js";
import {nameOf, onRequest, readOne, requestOf} from "./requests.js";
import {go, link} from "./router.js";
import {videoList} from "./video-list.js";

export function foundView({path, query, memory, signal, retitle}) {
  const id = path[1];
  const request = requestOf(id);
  const type = query.get("type") ?? (request?.types?.includes("channel") ? "channels" : "videos");
  const heading = el("h1", {tabindex: -1}, "Search on YouTube");
  const progress = el("div", {class: "requests"});
  const scope = segments({
    label: "Found",
    options: [["channels", "Channels"], ["videos", "Videos"]],
    value: type,
    onchange: (key) => go(link(["searches", id], {type: key}), {replace: true})
  });
  const nothing = () => {
    const now = requestOf(id);
    if (!now || now.active || now.videos > 0)
      return emptyNote({picture: "refresh", title: "Waiting for the first results", text: "They appear here by themselves."});
    return emptyNote({title: `No ${type} came of this`, text: "Other words may find more; a search costs one of today’s searches."});
  };
  const list = type === "channels" ? channelList({path: ["searches", id, "channels"], memory, signal, empty: nothing}) : videoList({
    parts: ["searches", id, "videos"],
    path: ["searches", id],
    place: {type},
    within: {list: "search", requestId: id},
    found: true,
    byChannel: true,
    query,
    memory,
    signal,
    nothing
  });

  const draw = (now) => {
    const name = nameOf(now);
    show(heading, now.kind === "search" ? "On YouTube: " : "Playlist: ", outside(brief(name)));
    retitle(`${brief(name, 40)} on YouTube`);
    if (!progress.hasChildNodes()) show(progress, requestCard(now, {signal, link: false}));
  };
  const refresh = throttled(1000, signal, () => list.refresh());
  onRequest(signal, (now) => now?.id === id && (draw(now), refresh()));
  on("catalogue", signal, refresh);
  on("stale", signal, refresh);
  // The list may have been empty before it was known whether something is still to come.
  const read = () => readOne(id, signal).then((now) => (draw(now), refresh()),
    (problem) => problem.name !== "AbortError" && !requestOf(id) && show(progress, errorNote(problem, read)));
  if (request) draw(request);
  read();
  return {
    title: "Search on YouTube",
    element: el("div", {class: "page"}, el("div", {class: "page-head"}, heading, scope.element), progress, list.element)
  };
}
