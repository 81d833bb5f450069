// The order and the filters of a list of videos. They live in the address of the view.
import {choice, segments} from "./choices.js";
import {el} from "./dom.js";

const FILTERS = [["all", "All"], ["liked", "Liked"], ["unavailable", "Unavailable"]];
const SORTS = [
  ["newest", "Newest"], ["oldest", "Oldest"], ["longest", "Longest"], ["shortest", "Shortest"], ["mostViewed", "Most viewed"]
];
const FOUND = [["relevance", "Relevance"], ...SORTS];
const DATES = [
  ["", "Any time"], ["7", "Last 7 days"], ["31", "Last month"], ["366", "Last year"], ["1827", "Last 5 years"],
  ["older", "Over 5 years ago"]
];
const LENGTHS = [
  ["", "Any length"], ["0-239", "Under 4 minutes"], ["240-1200", "4 to 20 minutes"], ["1201-3600", "20 to 60 minutes"],
  ["3601-", "Over an hour"]
];
const DAY = 86_400_000;

const among = (options, value) => (options.some(([key]) => key === value) ? value : options[0][0]);

/** What the address says, with everything unknown put right. `found` is for results of a search, which have an order of their own. */
export function readFilters(query, {found = false} = {}) {
  return {
    filter: among(FILTERS, query.get("filter")),
    sort: among(found ? FOUND : SORTS, query.get("sort")),
    date: among(DATES, query.get("date") ?? ""),
    length: among(LENGTHS, query.get("length") ?? ""),
  };
}

export const isFiltered = (chosen) => chosen.filter !== "all" || chosen.date !== "" || chosen.length !== "";

/** The same as parameters of the API. The time is cut to the day: a list and its pages must ask for the same. */
export function filterParameters(chosen) {
  const parameters = {};
  if (chosen.filter !== "all") parameters.filter = chosen.filter;
  if (chosen.sort !== "newest") parameters.sort = chosen.sort;
  const daysAgo = (days) => new Date(Math.floor(Date.now() / DAY) * DAY - days * DAY).toISOString().replace(".000Z", "Z");
  if (chosen.date === "older") parameters.publishedBefore = daysAgo(1827);
  else if (chosen.date) parameters.publishedAfter = daysAgo(Number(chosen.date));
  const [least, most] = chosen.length.split("-");
  if (least && least !== "0") parameters.minDuration = least;
  if (most) parameters.maxDuration = most;
  return parameters;
}

/** The same as the part of an address: what is usual is left out. */
export function filterQuery(chosen) {
  const usual = chosen.found ? "relevance" : "newest";
  return {
    filter: chosen.filter === "all" ? "" : chosen.filter,
    sort: chosen.sort === usual ? "" : chosen.sort,
    date: chosen.date,
    length: chosen.length
  };
}

/** The row of controls; `onchange(chosen)` after each change. */
export function filterBar(chosen, onchange) {
  const now = {...chosen};
  const set = (name) => (value) => {
    now[name] = value;
    onchange({...now});
  };
  return el("div", {class: "filters", role: "group", "aria-label": "Order and filters"},
    segments({label: "Which videos", options: FILTERS, value: now.filter, onchange: set("filter")}).element,
    el("div", {class: "filter-choices"},
      choice({label: "Order", options: now.found ? FOUND : SORTS, value: now.sort, onchange: set("sort")}),
      choice({label: "Published", options: DATES, value: now.date, onchange: set("date")}),
      choice({label: "Length", options: LENGTHS, value: now.length, onchange: set("length")})));
}
