// A list of videos with its filters: of a channel, of the whole catalogue, or of a search.
import {get} from "./api.js";
import {videoCard, videoOutline} from "./cards.js";
import {el} from "./dom.js";
import {feed} from "./feed.js";
import {filterBar, filterParameters, filterQuery, isFiltered, readFilters} from "./filters.js";
import {gather, isPlain, MOST_VIDEOS} from "./found-videos.js";
import {forgetLikes, isLiked, onLike} from "./likes.js";
import {emptyNote} from "./notes.js";
import {go, link} from "./router.js";

/**
 * `parts` and `parameters` name the list to the API, `path` and `place` are its address here, and `within` is what the player needs to know
 * the list. `found` is for results with an order of their own; `onpage` hears what the API answered.
 */
export function videoList(
  {parts, parameters = {}, path, place = {}, within, found = false, byChannel = false, query, memory, signal, nothing, onpage = () => {}}) {
  const chosen = {...readFilters(query, {found}), found};
  const asked = found ? parameters : {...parameters, ...filterParameters(chosen)};
  const list = feed({
    load: async (cursor) => {
      if (found && !isPlain(chosen)) {
        const {videos, isWhole} = await gather({parts, parameters}, chosen, signal, {fresh: true});
        forgetLikes(videos);
        return {items: videos, next: undefined, cut: isWhole ? undefined : MOST_VIDEOS};
      }
      const page = await get(parts, {...asked, cursor, limit: 48}, signal);
      forgetLikes(page.videos ?? []);
      onpage(page);
      return {items: page.videos ?? [], next: page.next};
    },
    render: (video) => videoCard(video, {signal, byChannel, address: link(["watch", video.id], {...within, ...filterQuery(chosen)})}),
    outline: videoOutline,
    noun: "video",
    className: "video-list",
    memory,
    signal,
    empty: () => (isFiltered(chosen) ? emptyNote(noneLeft(chosen, path, place)) : nothing()),
  });
  // In the list of liked videos the one whose like was taken back stays until the list is read again: a slip is mended where it happened.
  onLike(signal, ({id}) => {
    const video = list.items().find((item) => item.id === id);
    if (video)
      list.element.querySelector(`[data-id="${CSS.escape(id)}"]`)?.classList.toggle("fading", chosen.filter === "liked" && !isLiked(video));
  });
  const bar = filterBar(chosen, (now) => go(link(path, {...place, ...filterQuery(now)}), {replace: true}));
  return {element: el("div", {class: "list"}, bar, list.element), refresh: list.refresh, items: list.items};
}

function noneLeft(chosen, path, place) {
  const action = el("a", {class: "button", href: link(path, place)}, "Show all");
  if (chosen.filter === "liked" && !chosen.date && !chosen.length) {
    return {picture: "heart", title: "Nothing liked yet", text: "Press the heart below a video, and it is kept here.", action};
  }
  return {picture: "videos", title: "No video passes these filters", text: "Widen the dates or the length, or show all of them.", action};
}
