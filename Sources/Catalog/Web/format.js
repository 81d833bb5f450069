// How numbers, times and texts are written. The page's language is English; dates are in the reader's own time zone.

const whole = new Intl.NumberFormat("en");
const compact = new Intl.NumberFormat("en", {notation: "compact", maximumFractionDigits: 1});
const day = new Intl.DateTimeFormat("en-GB", {day: "numeric", month: "short", year: "numeric"});
const moment = new Intl.DateTimeFormat("en-GB", {dateStyle: "medium", timeStyle: "short"});
const clock = new Intl.DateTimeFormat("en-GB", {hour: "2-digit", minute: "2-digit"});
const clockWithSeconds = new Intl.DateTimeFormat("en-GB", {hour: "2-digit", minute: "2-digit", second: "2-digit"});
const relative = new Intl.RelativeTimeFormat("en", {numeric: "auto"});

/** A table that is looked up by words from outside: it has nothing but its own entries, unlike a plain object, which has `constructor`. */
export const table = (entries) => Object.freeze(Object.assign(Object.create(null), entries));

export const number = (value) => whole.format(value);
export const short = (value) => compact.format(value);

/** `1 video`, `1,636 videos`. */
export function count(value, one, many = `${one}s`) { return `${number(value)} ${value === 1 ? one : many}`; }

/** How many matches a search of the catalogue tells. Of frequent words, it looks at the latest records only. */
export function matches(page) {
  const found = count(page.matches, "match", "matches");
  if (page.complete) return found;
  return page.matches > 0 ? `More than ${found}` : "No match among the latest";
}

/** Messages a second: as many digits as mean something. */
export function rate(value) {
  if (value === 0) return "0";
  if (value < 0.1) return "<0.1";
  return value < 10 ? value.toFixed(1) : short(Math.round(value));
}

const time = (value) => (value === undefined ? NaN : Date.parse(value));

export function date(value) {
  const at = time(value);
  return Number.isNaN(at) ? "" : day.format(at);
}

export function dateAndTime(value) {
  const at = time(value);
  return Number.isNaN(at) ? "" : moment.format(at);
}

export function clockTime(value, seconds = false) {
  const at = typeof value === "number" ? value : time(value);
  return Number.isNaN(at) ? "" : (seconds ? clockWithSeconds : clock).format(at);
}

const STEPS = [["year", 31_557_600], ["month", 2_629_800], ["week", 604_800], ["day", 86_400], ["hour", 3_600], ["minute", 60]];

/** `5 minutes ago`, `in 3 hours`. */
export function ago(value, now = Date.now()) {
  const seconds = (time(value) - now) / 1000;
  if (Number.isNaN(seconds)) return "";
  for (const [unit, length] of STEPS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return "just now";
}

/** `4 h 12 min` until a time. */
export function until(value, now = Date.now()) {
  const minutes = Math.max(0, Math.ceil((time(value) - now) / 60_000));
  if (Number.isNaN(minutes)) return "";
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `4:05`, `1:02:09`. */
export function duration(seconds) {
  const two = (value) => String(value).padStart(2, "0");
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** `4 minutes 5 seconds`, for those who hear it. */
export function spokenDuration(seconds) {
  const parts = [[Math.floor(seconds / 3600), "hour"], [Math.floor(seconds / 60) % 60, "minute"], [seconds % 60, "second"]];
  return parts.filter(([value]) => value > 0).map(([value, unit]) => count(value, unit)).join(" ") || "0 seconds";
}

/** Shortens a text at a whole character, for window titles and spoken sentences. */
export function brief(text, limit = 90) {
  const characters = Array.from(text.slice(0, limit * 4));
  return characters.length > limit ? `${characters.slice(0, limit).join("")}…` : text;
}

/** A number between 0 and `bound` that is always the same for a text. */
export function fingerprint(text, bound) {
  let value = 7;
  for (let index = 0; index < text.length; index += 1) value = (value * 31 + text.charCodeAt(index)) >>> 0;
  return value % bound;
}

const ABSENT = table({private: "Private video", deleted: "Deleted video"});

/** What a video is called; those without a title are called what they are. */
export function videoTitle(video) { return video.title?.trim() ? video.title : ABSENT[video.availability] ?? "Untitled video"; }

export function channelTitle(channel) { return channel.title?.trim() ? channel.title : channel.customUrl ?? channel.id; }
