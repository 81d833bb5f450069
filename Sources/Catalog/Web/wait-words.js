// What a stage waits for, which its workers report in the pipeline's own words, in a reader's words and time.
import {timeTag} from "./cards.js";
import {clockTime, dateAndTime, table} from "./format.js";

const BUCKETS = table({default: "units", search: "searches", batchGetStats: "batch statistics"});
const LEDGER = table({
  storeUnreachable: "The ledger of the quota does not answer",
  storeRefused: "The ledger of the quota refuses",
  clockBehind: "The clock of the quota’s ledger is behind",
  dataLoss: "The ledger of the quota lost its data",
});
const REASONS = table({
  usedUp: (things) => `Today’s ${things} are used up`,
  exhaustedByAPI: (things) => `YouTube says that today’s ${things} are used up`,
  reserve: (things) => `The rest of today’s ${things} is kept for others`,
  pacing: (things) => `Today’s ${things} are spread over the day`,
  requestsPerMinute: () => "The calls of this minute are used up",
});
const WAIT = /^waits for quota \((\w+)(?:, (\w+))?\)(?: until (\d{4}-\d\d-\d\dT\d\d:\d\d)Z)?$/;
// What the state's pill says already.
const STATE = /^(?:STOPPED|circuit breaker open): /;
const DAY = 86_400_000;

/** What of a bucket is used up, `searches`. */
export const bucketThings = (name) => BUCKETS[name] ?? name;

/** A time that comes, in the reader's own zone: today's and tomorrow's by the clock. */
export const comingTime = (value) =>
  timeTag(value, Date.parse(value) - Date.now() < DAY ? clockTime(value) : dateAndTime(value));

/** The reason of a stage as what `el` takes; in its own words when it is no wait for quota. */
export function reasonWords(reason) {
  const waits = reason.split("; ").map(waitWords);
  return waits.includes(undefined) ? reason.replace(STATE, "") : waits.map((words) => [words, ". "]);
}

function waitWords(part) {
  const [, bucket, code, minute] = WAIT.exec(part) ?? [];
  if (bucket === undefined) return undefined;
  const words = LEDGER[code] ?? REASONS[code]?.(bucketThings(bucket)) ?? `Waits for ${bucketThings(bucket)}`;
  return minute ? [`${words}. It goes on at `, comingTime(`${minute}:00Z`)] : words;
}
