// Pictures from outside: only https, only YouTube's picture hosts; a tile stands in for whatever is missing or does not load.
import {el} from "./dom.js";
import {fingerprint} from "./format.js";
import {icon} from "./icons.js";

const HOSTS = new Set(["i.ytimg.com", "yt3.ggpht.com"]);

/** The address when a picture may be loaded from it, or undefined. */
export function pictureAddress(text) {
  let url;
  try {
    url = new URL(text);
  } catch {
    return undefined;
  }
  const allowed = url.protocol === "https:" && HOSTS.has(url.hostname) && url.port === "" && url.username === "" && url.password === "";
  return allowed ? url.href : undefined;
}

function picture(thumbnail, eager) {
  const address = thumbnail && pictureAddress(thumbnail.url);
  if (!address) return undefined;
  const image =
    el("img", {alt: "", loading: eager ? "eager" : "lazy", decoding: "async", referrerpolicy: "no-referrer", draggable: "false"});
  image.addEventListener("load", () => image.classList.add("loaded"), {once: true});
  image.addEventListener("error", () => image.remove(), {once: true});
  image.setAttribute("src", address);
  return image;
}

/** A video's picture, 16:9. */
export function still(video, {eager = false, children = []} = {}) {
  const gone = video.availability === "private" || video.availability === "deleted";
  return el("div", {class: `still tone-${fingerprint(video.id, 8)}${gone ? " gone" : ""}`}, icon(gone ? "lock" : "play", 40),
    picture(video.thumbnail, eager), children);
}

/** A channel's round picture, over the first letter of its title. */
export function portrait(channel, size = "") {
  const title = (channel.title ?? "").trim();
  const [letter = "·"] = Array.from(title.replace(/^[^\p{L}\p{N}\p{Emoji_Presentation}]+/u, "") || title);
  return el("div", {class: `portrait tone-${fingerprint(channel.id, 8)} ${size}`, "aria-hidden": "true"},
    el("span", {}, letter.toUpperCase()), picture(channel.thumbnail, true));
}
