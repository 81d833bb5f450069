// The pipeline now and in the last hour.
import {get} from "./api.js";
import {chart} from "./chart.js";
import {el, show, throttled} from "./dom.js";
import {on} from "./events.js";
import {drawFlow, gauge, stageName} from "./flow.js";
import {number, rate, short} from "./format.js";
import {deadLetterList, eventList, requestTable} from "./happenings.js";
import {errorNote} from "./notes.js";
import {onRequest} from "./requests.js";

const HOUR = 3_600_000;

export function pipelineView({signal}) {
  let now;
  const flow = el("ol", {class: "flow", "aria-label": "Stages"});
  const gauges = el("ul", {class: "gauges"});
  const charts = el("div", {class: "charts"});
  const problems = el("div", {class: "problems"});
  const events = eventList();
  const letters = deadLetterList();
  const asked = requestTable(signal);
  const body = el("div", {class: "pipeline"}, problems, section("Flow", flow), section("Today’s quota", gauges),
    section("Last hour", charts), el("div", {class: "columns"}, section("Requests", asked.element), section("Events", events.element)),
    section("Dead letters", letters.element));
  let drawn = [];

  const read = async () => {
    try {
      now = await get(["pipeline"], {}, signal);
    } catch (problem) {
      if (problem.name !== "AbortError") show(problems, errorNote(problem, read));
      return;
    }
    if (drawn.length === 0) show(charts, (drawn = makeCharts(now)).map((one) => one.element));
    events.set(now.events);
    letters.set(now.deadLetters);
    draw();
  };

  const draw = () => {
    show(problems, now.problems.map((text) => el("p", {class: "warning", dir: "auto"}, text)));
    drawFlow(flow, now.stages, now.samples);
    show(gauges, now.quota ? now.quota.map(gauge) : el("li", {class: "muted"}, "The ledger of the quota does not answer at the moment."));
    for (const one of drawn) one.update(now.samples);
  };

  const readSometimes = throttled(5000, signal, read);
  on("sample", signal, (sample) => {
    if (!now) return;
    takeSample(now, sample);
    if (!document.hidden) draw();
    readSometimes();
  });
  on("event", signal, (event) => events.add(event));
  on("stale", signal, readSometimes);
  onRequest(signal, asked.refresh);
  read();
  return {
    title: "Pipeline",
    element: el("div", {class: "page"},
      el("div", {class: "page-head"},
        el("div", {}, el("h1", {tabindex: -1}, "Pipeline"),
          el("p", {class: "muted"}, "How messages flow through the stages, and what they cost."))),
      body)
  };
}

function section(title, content) { return el("section", {class: "part", "aria-label": title}, el("h2", {}, title), content); }

function takeSample(now, sample) {
  const begin = Date.parse(sample.at) - HOUR;
  now.samples = [...now.samples.filter((one) => one.at !== sample.at && Date.parse(one.at) >= begin), sample];
  for (const stage of now.stages) {
    const fresh = sample.stages[stage.stage];
    if (!fresh) continue;
    stage.rate = fresh.rate;
    stage.members = fresh.members;
    for (const name of ["lag", "waiting", "failed"]) {
      if (fresh[name] !== undefined) stage[name] = {records: fresh[name], atLeast: stage[name]?.atLeast ?? false};
    }
  }
  for (const bucket of now.quota ?? []) {
    const left = sample.left[bucket.name];
    if (left !== undefined) bucket.left = left;
  }
}

function makeCharts({stages}) {
  const series = stages.map(({stage}) => ({key: stage, name: stageName(stage)}));
  return [
    chart({title: "Messages a second", series, value: (sample, key) => sample.stages[key]?.rate, format: rate}),
    chart({title: "Lag", series, value: (sample, key) => sample.stages[key]?.lag, format: (value) => short(value), whole: true}),
    chart({
      title: "Units left",
      series: [{key: "default", name: "Units"}],
      value: (sample, key) => sample.left[key],
      format: (value) => short(value),
      whole: true
    }),
    chart({
      title: "Videos in the catalogue",
      series: [{key: "records", name: "Videos"}],
      value: (sample) => sample.records,
      format: (value) => (value < 10_000 ? number(Math.round(value)) : short(value)),
      whole: true
    }),
  ];
}
