// The player's page: the video, what is known of it, and its neighbours in the list it was opened from.
import {get} from "./api.js";
import {timeTag} from "./cards.js";
import {announce, el, show} from "./dom.js";
import {filterParameters, filterQuery, readFilters} from "./filters.js";
import {folded} from "./folded.js";
import {ago, brief, count, date, dateAndTime, duration, number, table, videoTitle} from "./format.js";
import {foundSource, gather, isPlain} from "./found-videos.js";
import {icon} from "./icons.js";
import {forgetLikes, likeButton, toggleLike} from "./likes.js";
import {still} from "./media.js";
import {errorNote} from "./notes.js";
import {isPlayable, player} from "./player.js";
import {cameFrom, go, link} from "./router.js";
import {mayAsk} from "./session.js";
import {keyHelp, watchKeys} from "./watch-keys.js";

const LISTS = new Set(["channel", "catalogue", "search", "query"]);

const TOO_LONG = "The list is too long to know it.";

const NO_ROW = {videos: [], isWhole: false};

// Whoever pressed play once wants the next video to play as well.
let playsOn = false;

export function watchView({path, query, signal, retitle, memory}) {
  const id = path[1];
  const list = LISTS.has(query.get("list")) ? query.get("list") : undefined;
  const found = list === "search" || list === "query";
  const chosen = {...readFilters(query, {found}), found};
  const place = {list, requestId: query.get("requestId"), q: query.get("q"), ...filterQuery(chosen)};
  const element = el("div", {class: "page watch"}, outline());

  async function read() {
    show(element, outline());
    try {
      const wanted = list && !found ? {list, ...filterParameters(chosen)} : {};
      const [video, row] = await Promise.all([get(["videos", id], wanted, signal), found ? rowOf() : NO_ROW]);
      if (signal.aborted) return;
      forgetLikes([video]);
      draw(video, besideIn(row, video));
    } catch (problem) {
      if (problem.name === "AbortError") return;
      retitle("Video");
      const gone = problem.status === 404
        ? {status: 404, message: "The catalogue has no such video (any more). It may have been deleted, or fetched too long ago."}
        : problem;
      show(element, el("h1", {tabindex: -1}, "Video"), errorNote(gone, problem.status === 404 ? undefined : read), backLink(undefined));
    }
  }

  const address = (video) => video && link(["watch", video.id], place);

  function listAddress(video) {
    const filters = filterQuery(chosen);
    if (list === "channel" && video?.channelId) return link(["channels", video.channelId], filters);
    if (list === "search" && place.requestId) return link(["searches", place.requestId], {type: "videos", ...filters});
    return link(["videos"], list === "query" ? {q: place.q, ...filters} : filters);
  }

  function backLink(video) {
    const back = listAddress(video);
    const leave = (event) => {
      // Back to the very entry of the history, where the list is as it was left.
      if (cameFrom() !== back) return;
      event.preventDefault();
      history.back();
    };
    return el("a", {class: "back-link", href: back, onclick: leave}, icon("previous", 18), "Back to the list");
  }

  // The server knows the neighbours in a list of its own; those of a search are known here. Without them the video plays, too.
  const rowOf = () => gather(foundSource({q: place.q, requestId: place.requestId}), chosen, signal).catch(() => NO_ROW);

  function besideIn({videos, isWhole}, video) {
    if (!list) return {begin: "No list was opened.", end: "No list was opened."};
    const at = videos.findIndex((one) => one.id === id);
    if (found && at < 0) return {begin: "It is not known.", end: "It is not known."};
    const {previous, next} = found ? {previous: videos[at - 1], next: videos[at + 1]} : video;
    const begins = found ? isWhole || isPlain(chosen) : !video.previousIsUnknown;
    const ends = found ? isWhole : !video.nextIsUnknown;
    return {previous, next, begin: begins ? "The list begins here." : TOO_LONG, end: ends ? "The list ends here." : TOO_LONG};
  }

  function draw(video, beside) {
    const stage = el("div", {class: "stage-box"});
    let steer;
    if (isPlayable(video)) {
      steer = player(
        video, {begin: playsOn, signal, onbegin: () => (playsOn = true), onerror: (sentence) => show(stage, unplayable(video, sentence))});
      show(stage, steer.element);
    } else {
      show(stage, unplayable(video));
    }
    const like = mayAsk() && likeButton(video, signal, {wide: true});
    show(element, backLink(video), el("div", {class: "watch-main"}, stage, about(video, like)),
      el("aside", {class: "watch-side", "aria-label": "In this list"},
        neighbourCard("Previous", beside.previous, address(beside.previous), beside.begin),
        neighbourCard("Next", beside.next, address(beside.next), beside.end), facts(video), keyHelp()));
    retitle(brief(videoTitle(video)));
    announce(brief(videoTitle(video)));
    watchKeys(signal, {
      ...steer,
      like: () => mayAsk() && toggleLike(video),
      next: () => beside.next && go(address(beside.next)),
      previous: () => beside.previous && go(address(beside.previous)),
    });
    if (!memory.scroll) element.querySelector("h1")?.focus({preventScroll: true});
  }

  read();
  return {title: "Video", element};
}

function outline() {
  return [
    el("h1", {class: "unseen", tabindex: -1}, "Video"),
    el("div", {class: "watch-main outline", "aria-hidden": "true"}, el("div", {class: "stage-box"}, el("div", {class: "stage"})),
      el("div", {class: "bar wide"}), el("div", {class: "bar"}))
  ];
}

const REASONS = table({
  private: ["Private video", "Its owner has made it private. Only its place in the list is known."],
  deleted: ["Deleted video", "It is gone from YouTube. What was known of it is below."],
  notEmbeddable: ["It plays on YouTube only", "Its owner does not allow that it is played on other pages."],
});

function unplayable(video, sentence) {
  const [title, text] = sentence ? ["It cannot be played here", sentence]
                                 : REASONS[video.playback] ?? ["It cannot be played here", "There is no player for it."];
  const onYouTube = video.playback !== "deleted" && video.playback !== "private";
  return el("div", {class: "stage unplayable", role: "status"}, icon(onYouTube ? "alert" : "lock", 36),
    el("p", {class: "note-title"}, title), el("p", {}, text),
    onYouTube &&
      el("a", {class: "button", href: video.url, target: "_blank", rel: "noopener noreferrer"}, icon("external"), "Watch on YouTube"));
}

function about(video, like) {
  return el("div", {class: "about"}, el("h1", {class: "watch-title", tabindex: -1, dir: "auto"}, videoTitle(video)),
    el("div", {class: "about-row"},
      el("p", {class: "dotted facts"},
        video.channelId &&
          el("a", {class: "by strong", href: link(["channels", video.channelId]), dir: "auto"}, video.channelTitle || video.channelId),
        video.viewCount !== undefined && el("span", {}, count(video.viewCount, "view")),
        video.publishedAt && timeTag(video.publishedAt, date(video.publishedAt))),
      el("div", {class: "about-do"}, like,
        el("a", {class: "button quiet", href: video.url, target: "_blank", rel: "noopener noreferrer"}, icon("external"), "On YouTube"))),
    video.description?.trim() && el("section", {class: "panel", "aria-label": "Description"}, folded(video.description, {lines: 6})),
    video.tags?.length > 0 &&
      el("ul", {class: "tags", "aria-label": "Tags"}, video.tags.slice(0, 40).map((tag) => el("li", {dir: "auto"}, tag))));
}

function neighbourCard(word, video, address, end) {
  if (!video)
    return el("div", {class: "neighbour none"}, el("span", {class: "neighbour-word"}, word),
      el("span", {class: "muted"}, end));
  return el("a", {class: "neighbour", href: address, rel: word === "Next" ? "next" : "prev"}, still(video),
    el("span", {class: "neighbour-words"}, el("span", {class: "neighbour-word"}, word),
      el("span", {class: "neighbour-title", dir: "auto"}, videoTitle(video)),
      video.durationSeconds !== undefined && el("span", {class: "muted"}, duration(video.durationSeconds))));
}

function facts(video) {
  const rows = [
    ["Length", video.durationSeconds !== undefined && duration(video.durationSeconds)],
    ["Likes on YouTube", video.likeCount !== undefined && number(video.likeCount)],
    ["Comments", video.commentCount !== undefined && number(video.commentCount)],
    ["Published", video.publishedAt && timeTag(video.publishedAt, dateAndTime(video.publishedAt))],
    [
      "Starts",
      video.scheduledStartTime && !video.actualStartTime && timeTag(video.scheduledStartTime, dateAndTime(video.scheduledStartTime))
    ],
    ["Availability", video.availability],
    ["Definition", video.definition && video.definition.toUpperCase()],
    ["Captions", video.captions !== undefined && (video.captions ? "yes" : "no")],
    ["Language", video.defaultAudioLanguage ?? video.defaultLanguage],
    ["Made for children", video.madeForKids !== undefined && (video.madeForKids ? "yes" : "no")],
    ["Fetched", timeTag(video.fetchedAt, ago(video.fetchedAt))],
    ["Id", el("code", {}, video.id)],
  ];
  return el("section", {class: "panel", "aria-label": "Details"},
    el("dl", {class: "fact-list"},
      rows.filter(([, value]) => value).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {dir: "auto"}, value)))));
}
