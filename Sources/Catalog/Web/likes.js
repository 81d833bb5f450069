// Likes: the button, and what was liked since the page was opened, so that all lists that are remembered agree.
import {change} from "./api.js";
import {announce, el, toast} from "./dom.js";
import {brief, videoTitle} from "./format.js";
import {icon} from "./icons.js";

const changed = new Map();
const target = new EventTarget();

export const isLiked = (video) => changed.get(video.id) ?? video.liked;

/** Likes a video or takes the like back; the button shows it at once and goes back when it fails. */
export async function toggleLike(video) {
  const liked = !isLiked(video);
  set(video.id, liked);
  try {
    const answer = await change(liked ? "PUT" : "DELETE", ["videos", video.id, "like"]);
    set(video.id, answer.liked);
    announce(`${answer.liked ? "Liked" : "No longer liked"}: ${brief(videoTitle(video))}`);
  } catch (problem) {
    set(video.id, !liked);
    if (problem.status !== 401) toast(problem.message, {error: true});
  }
}

function set(id, liked) {
  changed.set(id, liked);
  target.dispatchEvent(new CustomEvent("like", {detail: {id, liked}}));
}

/** A list that was read again knows better than what is remembered here. */
export function forgetLikes(videos) {
  for (const video of videos) changed.delete(video.id);
}

/** Calls `body({ id, liked })` at each change until the signal aborts. */
export function onLike(signal, body) { target.addEventListener("like", (event) => body(event.detail), {signal}); }

/** The heart; with a word beside it when `wide`. */
export function likeButton(video, signal, {wide = false} = {}) {
  const word = wide && el("span", {}, "Like");
  const button = el("button", {type: "button", class: wide ? "button like-button wide" : "icon-button like-button", data: {publishes: ""}},
    icon("heart"), word);
  const draw = () => {
    const liked = isLiked(video);
    button.setAttribute("aria-pressed", liked);
    // The name stays the same: the state is what `aria-pressed` says.
    button.setAttribute("aria-label", `Like ${brief(videoTitle(video))}`);
    button.title = liked ? "Take the like back" : "Like";
    if (word) word.textContent = liked ? "Liked" : "Like";
  };
  button.addEventListener("click", () => toggleLike(video));
  onLike(signal, ({id}) => id === video.id && draw());
  draw();
  return button;
}
