/** Partner by partner: a line of the night, and what came of it. */
import { slotsOf } from "../../../deliveries/night.ts";
import { count, type Tone } from "../../templates/figures.ts";
import { halves, here, html, type Html } from "../../templates/html.ts";
import { nightLine, slotClocks, slotMinutes } from "../../templates/night-line.ts";
import { duration } from "../../templates/times.ts";
import { createWritten } from "../../written.ts";
import { inSlices } from "../../slices.ts";
import { type Night, type PartnerNight, partnersOfNight } from "./night.ts";

/** Rows that are kept as they were written. */
const writtenMax = 1000;
const written = createWritten(writtenMax);

/** A row is written anew when something of it changed: of two hundred partners most are the same for a minute. */
export async function partnersTable(night: Night): Promise<Html[]> {
  const { came, since, now } = night;
  const lines = partnersOfNight(night);
  if (lines.length === 0) return [];
  const cameOf = new Map(came.map((one) => [one.partnerId, one]));
  const clocks = new Map<string, string[]>();
  const clocksOf = (zone: string) => {
    const known = clocks.get(zone) ?? slotClocks(since, zone);
    clocks.set(zone, known);
    return known;
  };
  const rows = await inSlices(lines, (line) => {
    const own = cameOf.get(line.partnerId);
    const { oldestWaitingAt, ...figures } = line;
    const waits = oldestWaitingAt === null ? null : duration(now.getTime() - oldestWaitingAt.getTime());
    const key = [...Object.values(figures), waits, since.getTime(), own?.slotsText].join(" ");
    return written.of(key, () =>
      row(line, waits, nightLine(line.partnerId, own ? slotsOf(own) : [], clocksOf(line.timeZone))),
    );
  });
  return [head, ...rows, foot];
}

function row(
  { partnerId, due, arrived, late, loaded, partly, refused, waiting }: PartnerNight,
  waits: string | null,
  line: Html,
): Html {
  const number = (value: number, tone: Tone | "" = "") =>
    html`<td class="number ${value > 0 ? tone : "zero"}">${count(value)}</td>`;
  return html`<tr>
    <th scope="row" class="id">
      <a href="/console/deliveries?partner=${encodeURIComponent(partnerId)}">${partnerId}</a>
    </th>
    <td class="line">${line}</td>
    <td class="number">${due === 0 ? html`<span class="quiet">–</span>` : html`${arrived} of ${due}`}</td>
    ${number(late, "warn")}${number(loaded)}${number(partly, "warn")}${number(refused, "bad")}${number(waiting)}
    <td class="wide">${waits === null ? html`<span class="quiet">–</span>` : `for ${waits}`}</td>
  </tr>`;
}

const [head, foot] = halves`<section aria-labelledby="partners">
  <h2 id="partners">Partner by partner</h2>
  <div class="scroll" role="region" aria-label="Table: partner by partner" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col">Partner</th>
          <th scope="col">24 hours, in the bank’s time</th>
          <th scope="col" class="number">Arrived</th>
          <th scope="col" class="number">Late</th>
          <th scope="col" class="number">Loaded</th>
          <th scope="col" class="number">In part</th>
          <th scope="col" class="number">Refused</th>
          <th scope="col" class="number">Waiting</th>
          <th scope="col" class="wide">Oldest</th>
        </tr>
      </thead>
      <tbody>${here}
      </tbody>
    </table>
  </div>
  <p class="legend">
    <span class="swatch loaded"></span>loaded <span class="swatch partly"></span>in part
    <span class="swatch refused"></span>refused <span class="swatch open"></span>waiting or loading; each bar is
    ${slotMinutes} minutes, its height the number of deliveries
  </p>
</section>`;
