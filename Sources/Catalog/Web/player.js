// YouTube's player in its frame. It is steered by messages, as its documentation describes, so none of YouTube's scripts runs in this page.
import {el, show} from "./dom.js";
import {videoTitle} from "./format.js";
import {icon} from "./icons.js";
import {pictureAddress, still} from "./media.js";

const HOST = "https://www.youtube-nocookie.com";

/** What the player's own error numbers mean. */
const ERRORS = new Map([
  [2, "The player does not know this video."],
  [5, "The player cannot play this video in this browser."],
  [100, "This video is gone, or it is private now."],
  [101, "Its owner does not allow that it is played on other pages."],
  [150, "Its owner does not allow that it is played on other pages."],
  [153, "The player refused to start, because the browser hides where it is embedded."],
]);

function frameAddress(video) {
  let url;
  try {
    url = new URL(video.embedUrl);
  } catch {
    return undefined;
  }
  if (url.origin !== HOST || !/^\/embed\/[\w-]{1,64}$/.test(url.pathname)) return undefined;
  const parameters = {autoplay: 1, rel: 0, playsinline: 1, enablejsapi: 1, origin: location.origin};
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Whether there is a player for a video at all. */
export const isPlayable = (video) => frameAddress(video) !== undefined;

/**
 * A stage with the picture and a button; nothing is asked of YouTube's player before it is pressed, unless `begin`.
 * `onerror(sentence)` when the player cannot play. Answers with what the keyboard needs.
 */
export function player(video, {begin, signal, onbegin, onerror}) {
  const stage = el("div", {class: "stage"});
  const state = {frame: undefined, playing: false, time: 0, muted: false};

  function start() {
    onbegin();
    state.frame = el("iframe", {
      class: "frame",
      title: `YouTube player: ${videoTitle(video)}`.slice(0, 200),
      allow: "autoplay; encrypted-media; picture-in-picture; fullscreen",
      referrerpolicy: "strict-origin-when-cross-origin",
      sandbox: "allow-scripts allow-same-origin allow-presentation allow-popups"
    });
    state.frame.setAttribute("src", frameAddress(video));
    state.frame.addEventListener("load", () => post({event: "listening", id: 1, channel: "widget"}));
    state.playing = true;
    show(stage, state.frame);
  }

  const post = (message) => state.frame?.contentWindow?.postMessage(JSON.stringify(message), HOST);
  const command = (func, ...args) => post({event: "command", func, args});

  addEventListener("message", (event) => {
    if (event.origin !== HOST || event.source !== state.frame?.contentWindow || typeof event.data !== "string") return;
    let message;
    try {
      message = JSON.parse(event.data);
    } catch {
      return;
    }
    if (message.event === "onError") onerror(ERRORS.get(Number(message.info)) ?? "The player cannot play this video.");
    const info = message.event === "infoDelivery" || message.event === "initialDelivery" ? message.info ?? {} : {};
    if (typeof info.currentTime === "number") state.time = info.currentTime;
    if (typeof info.playerState === "number") state.playing = info.playerState === 1 || info.playerState === 3;
    if (typeof info.muted === "boolean") state.muted = info.muted;
  }, {signal});

  const large = pictureAddress(`https://i.ytimg.com/vi/${encodeURIComponent(video.id)}/hqdefault.jpg`);
  const button = el("button", {
    type: "button",
    class: "stage-button",
    "aria-label": `Play ${videoTitle(video)}`.slice(0, 200),
    onclick: () => (start(), state.frame.focus())
  },
    still({...video, thumbnail: video.thumbnail ?? { url: large }}, {eager: true}), el("span", {class: "stage-play"}, icon("play", 44)));
  if (begin) start();
  else show(stage, button);

  return {
    element: stage,
    toggle() {
      if (!state.frame) return start();
      command(state.playing ? "pauseVideo" : "playVideo");
      state.playing = !state.playing;
    },
    seek(seconds) {
      if (!state.frame) return;
      state.time = Math.max(0, state.time + seconds);
      command("seekTo", state.time, true);
    },
    mute() {
      command(state.muted ? "unMute" : "mute");
      state.muted = !state.muted;
    },
    fullscreen() {
      if (document.fullscreenElement) document.exitFullscreen();
      else stage.requestFullscreen?.().catch(() => {});
    },
  };
}
