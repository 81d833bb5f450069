// The picture of the flow: one card for each stage, joined by lines that move as messages do; and the gauges of the quota.
import {el, show, svg} from "./dom.js";
import {clockTime, number, rate, short, table, until} from "./format.js";
import {reasonWords} from "./wait-words.js";

const NAMES = table({search: "Search", channels: "Channels", playlists: "Playlists", videos: "Videos"});
const WORDS = table({search: "finds ids", channels: "resolves references", playlists: "walks pages", videos: "completes records"});
const STATES = table({
  away: ["bad", "No worker"],
  stopped: ["bad", "Stopped"],
  breakerOpen: ["bad", "Resting after errors"],
  waitingForQuota: ["warn", "Waits for quota"],
  running: ["good", "Running"],
  idle: ["calm", "Idle"],
});

export const stageName = (stage) => NAMES[stage] ?? stage;

const speed = (value) => (value === 0 ? "halted" : value < 2 ? "slow" : value < 30 ? "steady" : "fast");

function counted(count) { return count === undefined ? "–" : `${count.atLeast ? "≥ " : ""}${short(count.records)}`; }

function pipe(value) {
  return svg("svg", {class: `pipe ${speed(value)}`, viewBox: "0 0 40 12", preserveAspectRatio: "none", "aria-hidden": "true"},
    svg("path", {class: "pipe-bed", d: "M0 6h40"}), svg("path", {class: "pipe-run", d: "M0 6h40"}));
}

const MEANINGS = table({
  Lag: "Messages that this stage has still to take",
  Waiting: "Messages that are tried again later",
  Failed: "Dead letters: messages that the stage gave up on",
  Members: "Workers that share the stage’s messages",
});

function figure(word, value, tone = "") {
  return el("div", {class: `figure ${tone}`, title: MEANINGS[word]}, el("dt", {}, word), el("dd", {}, value));
}

function workers(stage) {
  if (stage.workers.length === 0) return undefined;
  return el("details", {class: "workers", data: {stage: stage.stage}},
    el("summary", {}, `${stage.workers.length === 1 ? "1 worker" : `${stage.workers.length} workers`}`),
    el("ul", {},
      stage.workers.map((worker) => el("li", {}, el("span", {class: "worker-name", dir: "auto"}, worker.worker),
                          el("span", {class: "muted", title: "Messages taken and published since the worker started"},
                            `${number(worker.consumed)} in, ${number(worker.produced)} out, ${worker.partitions} partitions`)))));
}

function stageCard(stage) {
  const [tone, word] = STATES[stage.state] ?? ["", stage.state];
  const failed = stage.failed?.records > 0;
  return el("li", {class: `stage-card ${tone}`, data: {stage: stage.stage}},
    el("div", {class: "stage-head"}, el("h3", {}, stageName(stage.stage)), el("span", {class: `pill ${tone}`}, word)),
    el("p", {class: "muted stage-words"}, WORDS[stage.stage] ?? stage.group),
    el("p", {class: "stage-rate"}, el("strong", {}, rate(stage.rate)), el("span", {class: "muted"}, " a second, over 30\u00a0s")),
    el("dl", {class: "figures"}, figure("Lag", counted(stage.lag)), figure("Waiting", counted(stage.waiting)),
      figure("Failed", counted(stage.failed), failed ? "bad-text" : ""), figure("Members", number(stage.members))),
    stage.reason && ["bad", "warn"].includes(tone) && el("p", {class: "stage-reason", dir: "auto"}, reasonWords(stage.reason)), workers(stage),
    // The rate looks back; what moves is moving now.
    pipe(stage.state === "running" ? stage.rate : 0));
}

function catalogueCard(records, growth) {
  return el("li", {class: "stage-card sink", data: {stage: "catalogue"}},
    el("div", {class: "stage-head"}, el("h3", {}, "Catalogue"), el("span", {class: "pill good"}, "This page")),
    el("p", {class: "muted stage-words"}, "keeps the records"),
    el("p", {class: "stage-rate"}, el("strong", {}, number(records)), el("span", {class: "muted"}, records === 1 ? " video" : " videos")),
    el("dl", {class: "figures"}, figure("In the last hour", growth > 0 ? `+${number(growth)}` : "none")));
}

/** Draws the stages anew; what was unfolded stays so. */
export function drawFlow(list, stages, samples) {
  const open = new Set([...list.querySelectorAll("details[open]")].map((one) => one.dataset.stage));
  const held = document.activeElement?.closest?.(".workers")?.dataset.stage;
  const records = samples.at(-1)?.records ?? 0;
  show(list, stages.map(stageCard), catalogueCard(records, records - (samples[0]?.records ?? records)));
  for (const one of list.querySelectorAll("details")) {
    one.open = open.has(one.dataset.stage);
    if (held === one.dataset.stage) one.querySelector("summary").focus();
  }
}

const BUCKETS = table(
  {default: ["Units", "lists and details"], search: ["Searches", "search.list"], batchGetStats: ["Batch statistics", "batchGetStats"]});

/** One bucket as a half circle, of which as much is drawn as is left. */
export function gauge(bucket) {
  const [name, words] = BUCKETS[bucket.name] ?? [bucket.name, bucket.unit];
  // Not what is spent: YouTube can say that everything is used up while the ledger has counted less.
  const share = bucket.limit > 0 ? Math.min(1, bucket.left / bucket.limit) : 0;
  const tone = bucket.exhausted || share <= 0.05 ? "bad" : share <= 0.25 ? "warn" : "good";
  const arc = "M10 60 A50 50 0 0 1 110 60";
  return el("li", {class: `gauge panel ${tone}`, data: {bucket: bucket.name}},
    svg("svg", {viewBox: "0 0 120 68", role: "img", "aria-label": `${name}: ${number(bucket.left)} of ${number(bucket.limit)} left`},
      svg("path", {class: "gauge-bed", d: arc}),
      // A dash of no length would still have round ends.
      share > 0 && svg("path", {class: "gauge-run", d: arc, pathLength: 100, "stroke-dasharray": `${(100 * share).toFixed(2)} 200`}),
      svg("text", {class: "gauge-left", x: 60, y: 54, "text-anchor": "middle"}, short(bucket.left))),
    el("div", {class: "gauge-words"}, el("h3", {}, name), el("p", {class: "muted"}, words),
      el("p", {}, el("strong", {}, number(bucket.left)), ` of ${number(bucket.limit)} left`),
      el("p", {class: "muted"}, bucket.exhausted ? "Used up, says YouTube. " : "", "Resets at ",
        el("time", {datetime: bucket.resetsAt}, clockTime(bucket.resetsAt)), `, in ${until(bucket.resetsAt)}`)));
}
