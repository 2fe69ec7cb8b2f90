/** *What ends when*: keys and certificates of all partners and the service's own, in one calendar. */
import { type KeyEnding, listEndings } from "../../partners/ends.ts";
import { type ConsoleContext, type Handler, partnersOf } from "../context.ts";
import { badge, countOf } from "../templates/figures.ts";
import { html, type Html } from "../templates/html.ts";
import { table } from "../templates/table.ts";
import { when } from "../templates/times.ts";

const dayMs = 86_400_000;
const endsSoonDays = 30;
const endedShownDays = 30;
const endingsShownMax = 500;

type Ending = Omit<KeyEnding, "partnerId" | "kind"> & { partnerId: string | null; kind: string };

export function endingsPage({ reading, clock, certificateEndsAt }: ConsoleContext): Handler {
  return async (visit) => {
    const partnerIds = partnersOf(visit);
    const now = clock.now();
    const found = await listEndings(reading, partnerIds, { pastDays: endedShownDays, limit: endingsShownMax });
    const ours: Ending[] =
      partnerIds === null
        ? [
            {
              partnerId: null,
              kind: "certificate of the HTTPS doors",
              name: "this service",
              fingerprint: "",
              endsAt: certificateEndsAt(),
              isFollowed: false,
            },
          ]
        : [];
    const endings = [...ours, ...found].toSorted((a, b) => a.endsAt.getTime() - b.endsAt.getTime());
    const pressing = endings.filter(
      ({ endsAt, isFollowed }) => !isFollowed && endsAt.getTime() < now.getTime() + endsSoonDays * dayMs,
    ).length;
    const months = Map.groupBy(endings, ({ endsAt }) => endsAt.toISOString().slice(0, 7));
    return {
      title: "What ends when",
      section: "/console/partners",
      body: html`<nav class="crumbs" aria-label="Where you are"><a href="/console/partners">Partners</a></nav>
        <header class="headline ${pressing === 0 ? "good" : "warn"}">
          <h1>
            ${pressing === 0 ? `Nothing ends within ${endsSoonDays} days that nothing follows` : `${countOf(pressing, "key or certificate has", "keys or certificates have")} to be renewed`}
          </h1>
          <p>
            Within ${endsSoonDays} days, or ended of late, with no other of the partner’s that goes on. Suspended
            partners are left out.
          </p>
        </header>
        ${endings.length === 0 && html`<p class="empty">No key and no certificate ends by itself.</p>`}
        ${endings.length > 0 && calendar(months, now)}
        ${found.length === endingsShownMax && html`<p class="quiet">The first ${endingsShownMax}.</p>`}
        <p class="quiet">The same as <code>tideline partner endings</code>.</p>`,
    };
  };
}

/** One table, so that columns of each month stand below each other. */
function calendar(months: ReadonlyMap<string, readonly Ending[]>, now: Date): Html {
  return table(
    "what ends when",
    heads,
    [...months].flatMap(([month, endings]) => [
      html`<tr class="month">
        <th colspan="${heads.length}" scope="colgroup">${month}</th>
      </tr>`,
      ...rowsOf(endings, now),
    ]),
  );
}

const heads = ["Ends", "State", "Partner", "What", "Name", "Fingerprint"];

function rowsOf(endings: readonly Ending[], now: Date): Html[] {
  return endings.map(
    (one) =>
      html`<tr>
        <td class="when">${when(one.endsAt, undefined)}</td>
        <td>${stateOf(one, now)}</td>
        <td class="id">
          ${one.partnerId === null ? html`<span class="quiet">–</span>` : html`<a href="/console/partners/${encodeURIComponent(one.partnerId)}">${one.partnerId}</a>`}
        </td>
        <th scope="row">${one.kind}</th>
        <td class="name">${one.name}</td>
        <td class="print"><code>${one.fingerprint}</code></td>
      </tr>`,
  );
}

function stateOf({ endsAt, isFollowed }: Ending, now: Date): Html {
  const days = Math.floor((endsAt.getTime() - now.getTime()) / dayMs);
  if (isFollowed) return badge("good", endsAt <= now ? "ended, another goes on" : "another goes on");
  if (endsAt <= now) return badge("bad", "ended");
  return days < endsSoonDays
    ? badge("warn", `${countOf(days, "day")} left`)
    : badge("calm", `${countOf(days, "day")} left`);
}
