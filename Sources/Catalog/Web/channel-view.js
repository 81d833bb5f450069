// One channel and its videos.
import {isPartial, refreshChannel} from "./add-channel.js";
import {get} from "./api.js";
import {timeTag, videosHere} from "./cards.js";
import {el, show, throttled} from "./dom.js";
import {on} from "./events.js";
import {ago, channelTitle, date, number, short} from "./format.js";
import {icon} from "./icons.js";
import {onLike} from "./likes.js";
import {portrait} from "./media.js";
import {emptyNote, errorNote} from "./notes.js";
import {folded} from "./folded.js";
import {requestCard} from "./request-card.js";
import {onRequest, requests} from "./requests.js";
import {link} from "./router.js";
import {mayAsk} from "./session.js";
import {videoList} from "./video-list.js";

export function channelView({path, query, memory, signal, retitle}) {
  const id = path[1];
  const head = el("header", {class: "channel-head"}, headOutline());
  const progress = el("div", {class: "requests"});
  const list = videoList({
    parts: ["channels", id, "videos"],
    path: ["channels", id],
    within: {list: "channel"},
    query,
    memory,
    signal,
    nothing: () => emptyNote({
      picture: "videos",
      title: "No videos here yet",
      text: mayAsk() ? "Fetch them above; they appear here as they come." : "Only this channel’s details are in the catalogue."
    })
  });

  const read = async () => {
    try {
      const channel = (memory.channel = await get(["channels", id], {}, signal));
      drawHead(head, channel, retitle);
      list.element.hidden = false;
      followRequest(channel.request);
    } catch (problem) {
      if (problem.name === "AbortError" || memory.channel) return;
      // Its videos cannot be read either: that is said once, and there is nothing to filter.
      list.element.hidden = true;
      show(head, el("h1", {class: "unseen", tabindex: -1}, "Channel"),
        problem.status === 404 ? unknown() : errorNote(problem, () => (read(), list.refresh())));
    }
  };

  const followRequest = (request) => {
    if (!request || (!request.active && !progress.hasChildNodes()) || progress.dataset.id === request.id) return;
    progress.dataset.id = request.id;
    show(progress, requestCard(request, {signal, link: false}));
  };
  onRequest(signal, (request) => {
    if (request?.channelId === id || request?.reference === id) followRequest(request);
  });

  if (memory.channel) drawHead(head, memory.channel, retitle);
  read();
  followRequest(requests().find((request) => request.active && request.channelId === id));
  const refresh = throttled(1500, signal, () => (read(), list.refresh()));
  on("catalogue", signal, refresh);
  on("stale", signal, refresh);
  onLike(signal, throttled(1500, signal, read));
  return {
    title: memory.channel ? channelTitle(memory.channel) : "Channel",
    element: el("div", {class: "page"}, head, progress, list.element)
  };
}

const unknown = () => emptyNote({
  title: "There is no such channel here",
  text: "It may have left the catalogue, or the address is wrong.",
  action: el("a", {class: "button", href: link(["channels"])}, "To the channels")
});

function headOutline() {
  return [
    el("h1", {class: "unseen", tabindex: -1}, "Channel"),
    el("div", {class: "channel-card outline bare", "aria-hidden": "true"}, el("div", {class: "portrait large"}),
      el("div", {class: "channel-words"}, el("div", {class: "bar"}), el("div", {class: "bar wide"})))
  ];
}

function drawHead(head, channel, retitle) {
  const title = channelTitle(channel);
  const text = JSON.stringify(channel);
  if (head.dataset.text === text) return;
  head.dataset.text = text;
  const before = head.contains(document.activeElement) ? document.activeElement : undefined;
  const refresh = el("button", {type: "button", class: "button", data: {publishes: "", part: "refresh"}}, icon("refresh"),
    !isPartial(channel) ? "Refresh" : channel.videos > 0 ? "Fetch all its videos" : "Fetch its videos");
  refresh.addEventListener("click", async () => {
    refresh.disabled = true;
    await refreshChannel(channel);
    refresh.disabled = false;
  });
  const heading = el("h1", {tabindex: -1, dir: "auto"}, title);
  show(head, portrait(channel, "large"),
    el("div", {class: "channel-about"}, heading,
      el("p", {class: "dotted facts"}, channel.customUrl && el("bdi", {dir: "auto"}, channel.customUrl),
        channel.subscriberCount !== undefined &&
          el("span", {title: number(channel.subscriberCount)}, `${short(channel.subscriberCount)} subscribers`),
        channel.viewCount !== undefined && el("span", {title: number(channel.viewCount)}, `${short(channel.viewCount)} views`),
        channel.country && el("span", {}, channel.country)),
      el("p", {class: "dotted facts"}, videosHere(channel),
        channel.unavailable > 0 && el("span", {}, `${number(channel.unavailable)} unavailable`),
        el("span", {}, `${number(channel.liked)} liked`),
        channel.publishedAt && el("span", {}, "since ", timeTag(channel.publishedAt, date(channel.publishedAt))),
        channel.fetchedAt && el("span", {}, "fetched ", timeTag(channel.fetchedAt, ago(channel.fetchedAt)))),
      channel.description?.trim() && folded(channel.description)),
    el("div", {class: "channel-do"}, mayAsk() && refresh,
      el("a", {class: "button quiet", href: channel.url, target: "_blank", rel: "noopener noreferrer"}, icon("external"), "On YouTube")));
  if (before) (before.tagName === "H1" ? heading : head.querySelector(`[data-part=${before.dataset.part}]`))?.focus({preventScroll: true});
  retitle(title);
}
