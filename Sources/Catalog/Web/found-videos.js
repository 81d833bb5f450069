// The videos of a search are few (at most 1,000 matches, 500 results of YouTube, 5,000 entries of a playlist), so the page orders and filters
// them itself. A list of uploads that was asked for as a playlist may be longer, and is cut off.
import {get} from "./api.js";

const DAY = 86_400_000;
const PAGE = 100;
const MOST_PAGES = 50;

/** How many videos of a search are ordered and filtered at most. */
export const MOST_VIDEOS = PAGE * MOST_PAGES;

/** Where the videos of a search come from: in the catalogue, or on YouTube. */
export function foundSource({q, requestId}) {
  return requestId ? {parts: ["searches", requestId, "videos"], parameters: {}} : {parts: ["search"], parameters: {q, type: "videos"}};
}

/** Whether the list is as the search gave it. */
export const isPlain = ({filter, sort, date, length}) => filter === "all" && sort === "relevance" && !date && !length;

let latest = {key: "", videos: [], isWhole: true};

/**
 * The videos of a search in the chosen order, without those that do not pass, and whether these are all. `fresh` asks again for what is
 * known.
 */
export async function gather(source, chosen, signal, {fresh = false} = {}) {
  const key = JSON.stringify(source);
  if (fresh || latest.key !== key) latest = {key, ...await all(source, signal)};
  return {videos: sift(latest.videos, chosen), isWhole: latest.isWhole};
}

async function all({parts, parameters}, signal) {
  const videos = new Map();
  let cursor;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page = await get(parts, {...parameters, cursor, limit: PAGE}, signal);
    for (const video of page.videos ?? []) videos.set(video.id, video);
    cursor = page.next;
    if (cursor === undefined) break;
  }
  return {videos: [...videos.values()], isWhole: cursor === undefined};
}

const GONE = new Set(["private", "deleted"]);

function passes(video, {filter, date, length}) {
  if (filter === "liked" && !video.liked) return false;
  if (filter === "unavailable" && !GONE.has(video.availability)) return false;
  const days = (Date.now() - Date.parse(video.publishedAt ?? "")) / DAY;
  if (date === "older" ? !(days > 1827) : date && !(days <= Number(date))) return false;
  const [least, most] = length.split("-");
  if (length && video.durationSeconds === undefined) return false;
  return !length || (video.durationSeconds >= Number(least) && (!most || video.durationSeconds <= Number(most)));
}

// Each order as the value it goes by and the sign; what is unknown comes last in every order.
const ORDERS = new Map([
  ["newest", [(video) => Date.parse(video.publishedAt ?? ""), -1]],
  ["oldest", [(video) => Date.parse(video.publishedAt ?? ""), 1]],
  ["longest", [(video) => video.durationSeconds ?? NaN, -1]],
  ["shortest", [(video) => video.durationSeconds ?? NaN, 1]],
  ["mostViewed", [(video) => video.viewCount ?? NaN, -1]],
]);

function sift(videos, chosen) {
  const passing = videos.filter((video) => passes(video, chosen));
  const [value, sign] = ORDERS.get(chosen.sort) ?? [];
  if (!value) return passing;
  const unknown = passing.filter((video) => Number.isNaN(value(video)));
  const known = passing.filter((video) => !Number.isNaN(value(video)));
  return [...known.sort((a, b) => sign * (value(a) - value(b))), ...unknown];
}
