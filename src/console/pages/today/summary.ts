/** The night in one sentence and in figures. */
import { bytes, count, countOf, type Tone } from "../../templates/figures.ts";
import { html, type Html } from "../../templates/html.ts";
import { tile, tiles } from "../../templates/tiles.ts";
import { duration, utcMinute } from "../../templates/times.ts";
import type { Attention } from "./attention.ts";
import { type Night, sum } from "./night.ts";

/** Waiting for so long is more than its turn. */
const waitsLongMs = 3_600_000;

/** One sentence that an operator reads first. */
export function headline(night: Night, needed: readonly Attention[]): Html {
  const missing = night.expected.filter(({ state, dueAt }) => state === "missing" && dueAt >= night.since).length;
  const waitsLong = night.backlog.some(({ oldestAt }) => night.now.getTime() - oldestAt.getTime() > waitsLongMs);
  const bad = needed.filter(({ tone }) => tone === "bad").length;
  const arrived = sum(night.came, "deliveries");
  const [tone, title, more]: [Tone, string, string] =
    missing > 0
      ? ["bad", "Last night is not all in", `${countOf(missing, "expected file")} did not come.`]
      : waitsLong
        ? ["warn", "Last night is not loaded yet", "Something waits for longer than an hour."]
        : bad > 0
          ? [
              "bad",
              "Last night is in, and something was refused",
              `${countOf(needed.length, "matter")} for a person below.`,
            ]
          : arrived === 0 && night.expected.length === 0
            ? [
                "calm",
                "Nothing came, and nothing was expected",
                "Expected files are set by partner (tideline partner set).",
              ]
            : [
                "good",
                "Last night is in",
                needed.length === 0
                  ? "Nothing needs a person."
                  : `${countOf(needed.length, "matter")} to look at below.`,
              ];
  return html`<header class="headline ${tone}">
    <h1>${title}</h1>
    <p>${more} <span class="quiet">The 24 hours until ${utcMinute(night.now)} UTC.</span></p>
  </header>`;
}

export function figuresOf({ came, backlog, expected, usersBehind, now, since }: Night): Html {
  const due = expected.filter(({ state }) => state !== "awaited" && state !== "early" && state !== "dropped");
  const arrived = due.filter(({ state }) => state !== "missing").length;
  const oldest = backlog.map(({ oldestAt }) => oldestAt.getTime()).toSorted((a, b) => a - b)[0];
  const waiting = sum(backlog, "deliveries");
  const last = `since=${since.toISOString().slice(0, 16)}Z`;
  const late = due.filter(({ state }) => state === "late").length;
  return tiles("Figures of the night", [
    tile(
      "#expected",
      "Expected files",
      due.length === 0 ? "–" : `${count(arrived)} of ${count(due.length)}`,
      due.length === 0 ? "none were due" : late > 0 ? `${count(late)} came late` : "arrived",
      arrived < due.length ? "bad" : "calm",
    ),
    tile(`/console/deliveries?${last}`, "Came", count(sum(came, "deliveries")), bytes(sum(came, "sizeBytes"))),
    tile(
      `/console/deliveries?result=all&${last}`,
      "Loaded",
      count(sum(came, "loaded")),
      countOf(sum(came, "records"), "record"),
      sum(came, "loaded") > 0 ? "good" : "calm",
    ),
    tile(
      `/console/deliveries?result=partly&${last}`,
      "In part",
      count(sum(came, "partly")),
      "records are held",
      sum(came, "partly") > 0 ? "warn" : "calm",
    ),
    tile(
      `/console/deliveries?state=refused&${last}`,
      "Refused",
      count(sum(came, "refused")),
      "nothing loaded",
      sum(came, "refused") > 0 ? "bad" : "calm",
    ),
    tile(
      "/console/deliveries?state=open",
      "Waiting",
      count(waiting),
      oldest === undefined ? "nothing waits" : `the oldest for ${duration(now.getTime() - oldest)}`,
      waiting > 0 ? "warn" : "calm",
    ),
    tile("/console/deliveries", "Users behind", count(usersBehind), "in recognition"),
  ]);
}
