/** The night's expected files: what is not in order first. */
import type { ExpectedAround } from "../../../landing/expected/around.ts";
import { badge, countOf, type Tone } from "../../templates/figures.ts";
import { halves, here, html, type Html } from "../../templates/html.ts";
import { clockIn, when } from "../../templates/times.ts";
import { createWritten } from "../../written.ts";
import { inSlices } from "../../slices.ts";
import type { Night } from "./night.ts";

const shownMax = 60;
const written = createWritten(4 * shownMax);

const wordOf: Readonly<Record<ExpectedAround["state"], readonly [Tone, string]>> = {
  arrived: ["good", "in time"],
  late: ["warn", "late"],
  missing: ["bad", "missing"],
  dropped: ["calm", "no longer expected"],
  early: ["good", "here already"],
  awaited: ["calm", "awaited"],
};

export async function expectedTable({ expected, zones }: Night): Promise<Html[]> {
  if (expected.length === 0)
    return [
      html`<section aria-labelledby="expected">
        <h2 id="expected">Expected files</h2>
        <p class="quiet">
          No file was due in these hours, and none is in the next twelve. What a partner should send by when is its
          setting <code>expectedFiles</code>.
        </p>
      </section>`,
    ];
  // What is not in order first, the newest of it before what is long ago.
  const inOrder = expected.toSorted((a, b) => rankOf(a) - rankOf(b) || b.dueAt.getTime() - a.dueAt.getTime());
  const rows = await inSlices(inOrder.slice(0, shownMax), (one) => {
    const zone = zones.of(one.partnerId);
    return written.of(JSON.stringify([zone, one]), () => row(one, zone));
  });
  const [head, foot] = frameOf(inOrder.slice(shownMax));
  return [head, ...rows, foot];
}

function row({ partnerId, name, dueDay, dueAt, state, deliveryId, arrivedAt }: ExpectedAround, zone: string): Html {
  const arrived = arrivedAt === null ? html`<span class="quiet">–</span>` : when(arrivedAt, zone);
  return html`<tr>
    <td class="id">${partnerId}</td>
    <th scope="row">${deliveryId === null ? name : html`<a href="/console/deliveries/${deliveryId}">${name}</a>`}</th>
    <td>${badge(...wordOf[state])}</td>
    <td>${dueDay}, ${clockIn(zone, dueAt)} <span class="quiet">${clockIn("UTC", dueAt)} UTC</span></td>
    <td>${arrived}</td>
  </tr>`;
}

function frameOf(more: readonly ExpectedAround[]): readonly [Html, Html] {
  const missing = more.filter((one) => rankOf(one) === 0).length;
  return halves`<section aria-labelledby="expected">
  <h2 id="expected">Expected files</h2>
  <div class="scroll" role="region" aria-label="Table: expected files" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col">Partner</th>
          <th scope="col">File</th>
          <th scope="col">State</th>
          <th scope="col">Due</th>
          <th scope="col">Arrived</th>
        </tr>
      </thead>
      <tbody>${here}
      </tbody>
    </table>
  </div>
  ${more.length > 0 && html`<p class="quiet">${countOf(more.length, "more file")}, ${countOf(missing, "of them missing", "of them missing")}; one partner’s are on its own page.</p>`}
</section>`;
}

function rankOf({ state }: ExpectedAround): number {
  return state === "missing" ? 0 : state === "late" ? 1 : state === "awaited" ? 2 : 3;
}
