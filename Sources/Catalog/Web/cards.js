// One card of a video, one of a channel, and their grey outlines while they load.
import {el} from "./dom.js";
import {ago, channelTitle, count, date, dateAndTime, duration, short, spokenDuration, table, videoTitle} from "./format.js";
import {likeButton} from "./likes.js";
import {portrait, still} from "./media.js";
import {link} from "./router.js";
import {mayAsk} from "./session.js";

export function timeTag(value, text) { return el("time", {datetime: value, title: dateAndTime(value)}, text); }

const BADGES = table({private: "Private", deleted: "Deleted", unlisted: "Unlisted"});

function badge(video) {
  if (BADGES[video.availability]) return el("span", {class: `badge ${video.availability}`}, BADGES[video.availability]);
  if (video.liveBroadcastContent === "live") return el("span", {class: "badge live"}, "Live");
  if (video.liveBroadcastContent === "upcoming") return el("span", {class: "badge"}, "Upcoming");
  return undefined;
}

function length(video) {
  if (video.durationSeconds === undefined || video.liveBroadcastContent === "live") return undefined;
  return el("span", {class: "length"}, el("span", {"aria-hidden": "true"}, duration(video.durationSeconds)),
    el("span", {class: "unseen"}, spokenDuration(video.durationSeconds)));
}

/** A video in a list. `address` is where its player is, `byChannel` whether the channel is named. */
export function videoCard(video, {address, byChannel = false, signal}) {
  const facts = [
    video.viewCount !== undefined &&
      el("span", {title: count(video.viewCount, "view")}, `${short(video.viewCount)} ${video.viewCount === 1 ? "view" : "views"}`),
    video.publishedAt && timeTag(video.publishedAt, date(video.publishedAt)),
  ].filter(Boolean);
  return el("article", {class: "video-card", data: {id: video.id}},
    el("a", {class: "cover-link", href: address}, still(video, {children: [badge(video), length(video)]}),
      el("h2", {class: "card-title video-title", dir: "auto"}, videoTitle(video))),
    el("div", {class: "video-foot"},
      el("div", {class: "facts"},
        byChannel && video.channelId &&
          el("a", {class: "by", href: link(["channels", video.channelId]), dir: "auto"}, video.channelTitle || video.channelId),
        el("div", {class: "dotted"}, facts)),
      mayAsk() && likeButton(video, signal)));
}

/** How many of a channel's videos are here: a search brings some of them. */
export function videosHere({videos, videoCount}) {
  if (!videos && videoCount) return el("span", {}, `${short(videoCount)} on YouTube, none here yet`);
  const all = videoCount > videos && el("span", {title: count(videoCount, "video")}, ` of ${short(videoCount)} on YouTube`);
  return el("span", {}, el("span", {class: "strong"}, count(videos, "video")), all);
}

/** A channel in a list. */
export function channelCard(channel) {
  const title = channelTitle(channel);
  return el("article", {class: "channel-card", data: {id: channel.id}}, portrait(channel),
    el("div", {class: "channel-words"},
      el("h2", {class: "card-title"}, el("a", {class: "cover-link", href: link(["channels", channel.id]), dir: "auto"}, title)),
      channel.customUrl && channel.customUrl !== title && el("p", {class: "handle", dir: "auto"}, channel.customUrl),
      channel.description?.trim() && el("p", {class: "blurb", dir: "auto"}, channel.description),
      el("p", {class: "dotted facts"},
        videosHere(channel),
        channel.liked > 0 && el("span", {}, `${channel.liked} liked`),
        channel.fetchedAt && el("span", {}, "fetched ", timeTag(channel.fetchedAt, ago(channel.fetchedAt))))));
}

export function videoOutline() {
  return el("div", {class: "video-card outline", "aria-hidden": "true"}, el("div", {class: "still"}), el("div", {class: "bar wide"}),
    el("div", {class: "bar"}));
}

export function channelOutline() {
  return el("div", {class: "channel-card outline", "aria-hidden": "true"}, el("div", {class: "portrait"}),
    el("div", {class: "channel-words"}, el("div", {class: "bar"}), el("div", {class: "bar wide"}), el("div", {class: "bar short"})));
}
