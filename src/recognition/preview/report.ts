/** A comparison of two runs as one HTML file: opened from disk, without scripts or anything from elsewhere. Pure. */
import { type Compared, type Difference, type Differing, differences, type Facts, type Side } from "./compare.ts";

/** How a side of the comparison is called, and what made it. */
export type Named = { name: string; algorithmVersion: string; asOf: string; thresholds: string };

export function renderComparison(
  made: string,
  [before, after]: readonly [Named, Named],
  compared: Compared,
  differing: readonly Differing[],
): string {
  const title = `${before.name} and ${after.name}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Recognition: ${escape(title)}</title>
<style>${style}</style></head>
<body><header><h1>What recognition finds differently</h1><p>${escape(title)}, ${escape(made)}</p></header>
<main>
<section><h2>What was compared</h2>${sidesTable([before, after], compared)}
<p>${compared.users} users in both; ${compared.usersDiffering} of them have a service that differs. ${compared.same} services are the same.</p></section>
<section><h2>Differences</h2>${bars(differences.map((one) => [meanings[one], compared.counts[one]]))}</section>
<section><h2>By frequency</h2>${frequencyTable(compared)}</section>
<section><h2>Services that differ</h2>${differingTable(differing, compared)}</section>
</main></body></html>
`;
}

export const meanings: Readonly<Record<(typeof differences)[number], string>> = {
  new: "new",
  gone: "gone",
  frequency: "another frequency",
  amount: "another amount",
  date: "another next date",
  status: "another status",
  visibility: "another visibility",
};

function sidesTable(names: readonly [Named, Named], { before, after }: Compared): string {
  const rows: [string, (named: Named, side: Side) => string | number][] = [
    ["algorithm", ({ algorithmVersion }) => algorithmVersion],
    ["as of", ({ asOf }) => asOf],
    ["asked and shown from", ({ thresholds }) => thresholds],
    ["services", (_, { services }) => services],
    ["shown", (_, { visible }) => visible],
    ["asked about", (_, { undecided }) => undecided],
    ["hidden", (_, { hidden }) => hidden],
  ];
  const body = rows.map(([name, tell]) => {
    const cells = [tell(names[0], before), tell(names[1], after)].map((cell) => `<td>${escape(String(cell))}</td>`);
    return `<tr><th scope="row">${name}</th>${cells.join("")}</tr>`;
  });
  const head = names.map(({ name }) => `<th scope="col">${escape(name)}</th>`).join("");
  return wide(`<table><tr><td></td>${head}</tr>${body.join("")}</table>`);
}

const barWidth = 400;
const barHeight = 22;
const labelWidth = 150;
const countWidth = 70;

function bars(rows: readonly (readonly [string, number])[]): string {
  const most = Math.max(1, ...rows.map(([, count]) => count));
  const drawn = rows.map(([name, count], at) => {
    const y = at * barHeight;
    const width = Math.round((count / most) * barWidth);
    return `<text x="0" y="${y + 15}">${name}</text><rect x="${labelWidth}" y="${y + 3}" width="${width}" height="${barHeight - 6}"/><text x="${labelWidth + width + 6}" y="${y + 15}">${count}</text>`;
  });
  return `<svg viewBox="0 0 ${labelWidth + barWidth + countWidth} ${rows.length * barHeight}" role="img" aria-label="Services by what differs">${drawn.join("")}</svg>`;
}

function frequencyTable({ frequencies }: Compared): string {
  const rows = frequencies.map(
    ({ frequency, before, after }) =>
      `<tr><th scope="row">${escape(frequency)}</th><td>${before}</td><td>${after}</td><td>${signed(after - before)}</td></tr>`,
  );
  return wide(
    `<table><tr><td></td><th scope="col">before</th><th scope="col">after</th><th scope="col">difference</th></tr>${rows.join("")}</table>`,
  );
}

function signed(count: number): string {
  return count > 0 ? `+${count}` : String(count);
}

function differingTable(differing: readonly Differing[], { counts, same, before }: Compared): string {
  const all = before.services + counts.new - same;
  if (differing.length === 0) return "<p>None.</p>";
  const told = differing.length < all ? `<p>The first ${differing.length} of ${all}.</p>` : "";
  const rows = differing.map(
    (one) =>
      `<tr><td>${escape(one.partnerId)}</td><td>${escape(one.user)}</td><td>${escape((one.after ?? one.before)?.title ?? "")}</td><td>${one.differences.map((which) => meanings[which]).join(", ")}</td><td>${escape(changeText(one))}</td></tr>`,
  );
  const head = ["partner", "user", "service", "what", "before → after"];
  return `${told}${wide(`<table><tr>${head.map((name) => `<th scope="col">${name}</th>`).join("")}</tr>${rows.join("")}</table>`)}`;
}

function factsText({ paymentFrequency, amount, currency, nextOn, status, visibility, confidence }: Facts): string {
  return `${paymentFrequency} ${amount} ${currency}, next ${nextOn}, ${status}, ${visibility}, ${Math.round(confidence * 100)} %`;
}

/** Of what is new or gone everything, else no more than what differs. */
export function changeText({ before, after, differences: which }: Differing): string {
  if (before === null || after === null) return [before, after].map((one) => (one ? factsText(one) : "")).join("");
  return which.map((one) => `${factText(one, before)} → ${factText(one, after)}`).join("; ");
}

function factText(
  which: Difference,
  { paymentFrequency, amount, currency, nextOn, status, visibility }: Facts,
): string {
  const texts: Partial<Record<Difference, string>> = {
    frequency: paymentFrequency,
    amount: `${amount} ${currency}`,
    date: nextOn,
    status,
    visibility,
  };
  return texts[which] ?? "";
}

/** A table wider than the screen scrolls by itself. */
function wide(table: string): string {
  return `<div class="wide">${table}</div>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

const style = `
:root { color-scheme: light dark; --ink: light-dark(#1d2530, #e6eaf0); --bar: light-dark(#2b6cb0, #63a4e8); --line: light-dark(#d4dae2, #3a4452); }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); max-width: 70rem; margin: 0 auto; padding: 1rem; background: light-dark(#fff, #12171e); }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin-top: 2rem; }
svg { width: 100%; max-width: 640px; } svg text { font-size: 13px; fill: var(--ink); } svg rect { fill: var(--bar); }
.wide { overflow-x: auto; } table { border-collapse: collapse; }
th, td { padding: .3rem .7rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
`;
