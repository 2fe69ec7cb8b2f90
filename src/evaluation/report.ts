/**
 * One HTML file with the score and time lines as inline SVG: opened from disk, without scripts or anything from
 * elsewhere. Pure.
 */
import { type Day, dayFromNumber, dayNumber } from "../time/calendar.ts";
import { type ComparedSet, type Comparison, comparedScores } from "./comparison.ts";
import { slices } from "./labelled.ts";
import { drawReliability, reliabilityRows } from "./reliability-drawing.ts";
import { type Reliability, readReliability } from "./reliability.ts";
import { type Earlier, earlierHeading, earlierRows } from "./earlier.ts";
import { type Extent, extentLine } from "./extent.ts";
import type { Drawn, Sample, SampleKind } from "./sample.ts";
import { type Score, type Tally, scoreOf } from "./score.ts";
import { comparedHeading, comparisonRows, measures, percent, setHeading, setRows } from "./score-rows.ts";

const sections: readonly (readonly [SampleKind, string, string])[] = [
  ["false", "False alarms", "Services of no known series."],
  ["missed", "Misses", "Known series without a service, and what became of their last payment."],
  ["mixed", "Mixed", "Services that share less than half of the payments with their series."],
  ["duplicate", "Duplicates", "Further services of a series that has a better one."],
  ["ended", "Ended, still active", "Services of series that no longer run."],
  ["frequency", "Hits with another frequency", ""],
  ["date", "Hits whose next day is off", "More than three days."],
  ["hit", "Hits", ""],
];

export type Reported = {
  title: string;
  /** On which it is written. */
  day: Day;
  extent: Extent;
  comparison: Comparison;
  /** Each for itself, where there are several. */
  sets: readonly ComparedSet[];
  sample: Sample;
  /** Of another version, or null. */
  earlier: Earlier | null;
};

export function renderReport({ title, day, extent, comparison, sets, sample, earlier }: Reported): string {
  const { recognised: tally, reliability } = comparison;
  const drawn = sections.map(([kind, name, what]) => section(kind, name, what, sample[kind]));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(title)}, ${day}</title>
<style>${style}</style></head>
<body><header><h1>Recognition of recurring payments</h1><p>${escape(title)}</p>
<p>${escape(extentLine(extent))}. Written ${day}.</p>${contents(sample, earlier)}</header>
<main>
<section id="score"><h2>Score</h2>${scoreTable(tally, scoreOf(tally))}</section>
${earlier === null ? "" : earlierSection(earlier, extent, comparison)}
<section id="baseline"><h2>Beside the baseline</h2><p>${baselineSays}</p>${comparisonTable(comparison)}${setTable(sets)}</section>
<section id="reliability"><h2>Reliability of confidence</h2><p>${reliabilitySays}</p><div class="slices">${drawReliability(readReliability(reliability))}${reliabilityTable(reliability)}</div></section>
<section id="slices"><h2>By slice</h2><div class="slices">${slices.map((slice) => sliceTable(slice, tally)).join("")}</div></section>
<section class="legend">${legend()}</section>
${drawn.join("\n")}
</main></body></html>
`;
}

/** Where everything is, with how many of each kind there are. */
function contents(sample: Sample, earlier: Earlier | null): string {
  const links = [
    ["score", "Score"],
    ...(earlier === null ? [] : [["earlier", "Beside another version"]]),
    ["baseline", "Baseline"],
    ["reliability", "Reliability"],
    ["slices", "By slice"],
    ...sections.map(([kind, name]) => [kind, `${name} ${sample[kind].count}`]),
  ];
  return `<nav aria-label="Contents">${links.map(([id, name]) => `<a href="#${id}">${name}</a>`).join("")}</nav>`;
}

function earlierSection(earlier: Earlier, extent: Extent, comparison: Comparison): string {
  const table = plainTable(earlierHeading(earlier, extent), earlierRows(earlier, comparedScores(comparison)));
  return `<section id="earlier"><h2>Beside another version</h2><p>The same histories; differences in hundredths, of false alarms in alarms.</p>${table}</section>`;
}

/** In a frame of its own, in which what is wider than the window is moved. */
function framed(table: string): string {
  return `<div class="wide" tabindex="0">${table}</div>`;
}

function plainTable(heading: readonly string[], body: readonly (readonly string[])[]): string {
  const head = heading.map((name) => `<th scope="col">${name.toLowerCase()}</th>`).join("");
  const rows = body.map(
    ([name = "", ...values]) =>
      `<tr><th scope="row">${escape(name)}</th>${values.map((value) => `<td>${value}</td>`).join("")}</tr>`,
  );
  return framed(`<table><tr>${head}</tr>${rows.join("")}</table>`);
}

function scoreTable(tally: Tally, score: Score): string {
  const counts = [["users", tally.users], ["series to find", tally.due], ...Object.entries(tally.verdicts)] as [
    string,
    number,
  ][];
  const rows = measures(score)
    .map(([name, value]) => `<tr><th scope="row">${name}</th><td>${value}</td></tr>`)
    .join("");
  const counted = counts.map(([name, count]) => `<tr><th scope="row">${name}</th><td>${count}</td></tr>`).join("");
  return `<div class="slices"><table>${rows}</table><table>${counted}</table></div>`;
}

const baselineSays =
  "The baseline takes payments of one name without its digits, and the frequency nearest to their median gap. Visible alone: without the services that the user is asked about.";

function comparisonTable(comparison: Comparison): string {
  return markedTable(comparedHeading, comparisonRows(comparedScores(comparison)));
}

function setTable(sets: readonly ComparedSet[]): string {
  return sets.length < 2 ? "" : `<h3>Each set</h3>${markedTable(setHeading, setRows(sets))}`;
}

/** The last cell says where the baseline wins. */
function markedTable(heading: readonly string[], body: readonly (readonly string[])[]): string {
  const head = heading.map((name) => `<th scope="col">${name.toLowerCase()}</th>`).join("");
  const rows = body.map(([name = "", ...values]) => {
    const cells = values.map((value) => `<td>${value}</td>`).join("");
    return `<tr${values.at(-1) === "" ? "" : ' class="behind"'}><th scope="row">${escape(name)}</th>${cells}</tr>`;
  });
  return framed(`<table><tr>${head}</tr>${rows.join("")}</table>`);
}

const reliabilitySays =
  "Services by the tenth of confidence that they state, and the share of them that are hits. On the diagonal what is said is true; the band is five hundredths wide on either side.";

function reliabilityTable(reliability: Reliability): string {
  return plainTable(["confidence", "services", "stated", "right", ""], reliabilityRows(reliability));
}

/** Longer tables push the time lines out of sight. */
const slicedMax = 12;

function sliceTable(slice: (typeof slices)[number], tally: Tally): string {
  const rows = Object.entries(tally.slices[slice]).sort((a, b) => b[1].due - a[1].due);
  if (rows.length < 2) return "";
  const cells = rows.map(([value, one]) => {
    const found = one.found / one.due;
    return `<tr><th scope="row">${escape(value)}</th><td>${one.due}</td><td class="bar" style="--share:${(found * 100).toFixed(1)}%">${percent(found)}</td><td>${percent(one.found === 0 ? 0 : one.frequencyRight / one.found)}</td></tr>`;
  });
  const table = framed(
    `<table><caption>${slice}</caption><tr><td></td><th scope="col">to find</th><th scope="col">found</th><th scope="col">frequency right</th></tr>${cells.join("")}</table>`,
  );
  return rows.length > slicedMax
    ? `<details><summary>${slice}: ${rows.length} values</summary>${table}</details>`
    : table;
}

function section(kind: SampleKind, name: string, what: string, { count, drawn }: Sample[SampleKind]): string {
  if (count === 0) return `<section id="${kind}"><h2>${name}: none</h2></section>`;
  const shown = count > drawn.length ? ` <small>${drawn.length} of ${count} drawn</small>` : "";
  return `<section id="${kind}"><h2>${name}: ${count}${shown}</h2>${what === "" ? "" : `<p>${what}</p>`}${drawn.map((one, at) => row(kind, one, at, drawn.length)).join("\n")}</section>`;
}

/** One of a kind, from which the next of it is a click away. */
function row(kind: SampleKind, one: Drawn, at: number, count: number): string {
  const to = (place: number, name: string) =>
    place < 0 || place >= count
      ? ""
      : ` <a href="#${kind}-${place + 1}" aria-label="${name}">${name === "next" ? "›" : "‹"}</a>`;
  const steps = `<span class="steps">${to(at - 1, "previous")} ${at + 1} of ${count}${to(at + 1, "next")}</span>`;
  return `<article id="${kind}-${at + 1}">${steps}<h3>${escape(one.title)} <small>${escape(one.uid)} · ${escape(one.note)}</small></h3><div class="wide" tabindex="0">${timeLine(one)}</div><p>${escape(one.explanation)}</p></article>`;
}

const width = 1000;
const height = 46;
const middle = 20;
const marginRight = 12;
/** What is drawn before the day of asking, and after it. */
const daysBefore = 760;
const daysAfter = 120;
const dayWidth = (width - marginRight) / (daysBefore + daysAfter);

function timeLine(one: Drawn): string {
  const at = dayNumber(one.asOf);
  const x = (day: Day): number => Math.round((dayNumber(day) - at + daysBefore) * dayWidth * 10) / 10;
  const inSight = (days: readonly Day[]): Day[] => days.filter((day) => x(day) >= 0 && x(day) <= width);
  const dots = (days: readonly Day[], kind: string, shape: (cx: number) => string): string =>
    inSight(days)
      .map((day) => `<g class="${kind}"><title>${day}</title>${shape(x(day))}</g>`)
      .join("");
  return (
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Payments of ${escape(one.title)}">` +
    monthMarks(at) +
    `<line class="asof" x1="${x(one.asOf)}" x2="${x(one.asOf)}" y1="2" y2="${height - 12}"/>` +
    dots(one.shared, "shared", circle) +
    dots(one.missed, "missed", circle) +
    dots(one.wrong, "wrong", cross) +
    dots(one.actual === null ? [] : [one.actual], "actual", circleWide) +
    dots(one.predicted === null ? [] : [one.predicted], "predicted", diamond) +
    `</svg>`
  );
}

/** A tick at each quarter's begin, with the year at January. */
function monthMarks(at: number): string {
  const marks: string[] = [];
  for (let offset = -daysBefore; offset <= daysAfter; offset++) {
    const day = dayFromNumber(at + offset);
    if (!/-(?:01|04|07|10)-01$/.test(day)) continue;
    const x = Math.round((offset + daysBefore) * dayWidth * 10) / 10;
    marks.push(
      `<line class="tick" x1="${x}" x2="${x}" y1="${middle - 10}" y2="${middle + 10}"/><text x="${x}" y="${height - 2}">${day.slice(0, 7)}</text>`,
    );
  }
  return `<line class="axis" x1="0" x2="${width}" y1="${middle}" y2="${middle}"/>${marks.join("")}`;
}

const circle = (x: number): string => `<circle cx="${x}" cy="${middle}" r="4.5"/>`;
const circleWide = (x: number): string => `<circle cx="${x}" cy="${middle}" r="7"/>`;
const cross = (x: number): string => `<path d="M${x - 4} ${middle - 4}l8 8m0 -8l-8 8"/>`;
const diamond = (x: number): string => `<path d="M${x} ${middle - 5}l5 5l-5 5l-5 -5z"/>`;

function legend(): string {
  const entries = [
    ["shared", circle, "recognised, and of the series"],
    ["missed", circle, "of the series, not recognised"],
    ["wrong", cross, "recognised, not of the series"],
    ["predicted", diamond, "next as predicted"],
    ["actual", circleWide, "next as it came"],
  ] as const;
  return (
    entries
      .map(
        ([kind, shape, meaning]) =>
          `<span><svg viewBox="0 8 24 24" width="24" height="24"><g class="${kind}">${shape(12)}</g></svg>${meaning}</span>`,
      )
      .join("") + "<span>dashed: the day of asking</span>"
  );
}

/** Colours keep 3 : 1 against the background (WCAG 2.2, 1.4.11), and every mark has a shape of its own. */
const style = `
:root{color-scheme:light;font:15px/1.45 system-ui,sans-serif;color:#1b2430;background:#f6f7f9}
body{margin:0 auto;max-width:1120px;padding:24px}h1{margin:0;font-size:26px}header p{margin:2px 0 18px;color:#526070}
h2{font-size:19px;margin:28px 0 8px}h2 small,h3 small{font-weight:400;color:#526070}h3{font-size:15px;margin:0}
table{border-collapse:collapse;background:#fff;border:1px solid #d9dfe6;align-self:start}caption{text-align:left;font-weight:600;padding:6px 0}
th,td{padding:4px 12px;border-top:1px solid #edf0f3;text-align:right;font-variant-numeric:tabular-nums}th[scope=row]{text-align:left;font-weight:500}
.bar{background:linear-gradient(to right,#cfe7d8 var(--share),transparent 0)}summary{cursor:pointer;font-weight:600;padding:6px 0}.slices{display:flex;flex-wrap:wrap;gap:20px}
article{background:#fff;border:1px solid #d9dfe6;border-radius:8px;padding:10px 14px;margin:8px 0}article p{margin:2px 0 0;color:#3c4856;font-size:14px}
article svg{width:100%;min-width:720px;height:auto;display:block}article:target{border-color:#2456c4}.steps{float:right;margin-left:12px;color:#526070}
/* The newest end of what is wider than the window is in sight first. */article .wide{direction:rtl}
.wide{overflow-x:auto;max-width:100%;min-width:0}.slices>*{max-width:100%}nav{display:flex;flex-wrap:wrap;gap:2px 14px;margin:8px 0 0}a{color:#2456c4;padding:4px 0}.steps a{padding:4px 8px}
@media(max-width:600px){body{padding:14px}th,td{padding:4px 6px}h1{font-size:22px}}
text{font-size:9px;fill:#6b7785;text-anchor:middle}.axis{stroke:#c3ccd6}.tick{stroke:#dfe5eb}
.asof{stroke:#1b2430;stroke-dasharray:3 3}.shared circle{fill:#1d7f4e}.missed circle{fill:#fff;stroke:#b3261e;stroke-width:2}
.reliability{width:300px;background:#fff;border:1px solid #d9dfe6}.near{fill:#e6eef8}.behind td{color:#b3261e;font-weight:600}
.wrong path{stroke:#b3261e;stroke-width:2.4;fill:none}.predicted path{fill:#2456c4}.actual circle{fill:none;stroke:#1b2430;stroke-width:1.8}
.legend{display:flex;flex-wrap:wrap;gap:16px;margin-top:24px}.legend span{display:flex;align-items:center;gap:4px}`;

function escape(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.codePointAt(0)};`);
}
