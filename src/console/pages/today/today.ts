/** *Today*: whether the last night is in, what came of each partner, and what needs a person. */
import { type ConsoleContext, type Handler, partnersOf, scopeOf } from "../../context.ts";
import { badge } from "../../templates/figures.ts";
import { html, type Html } from "../../templates/html.ts";
import { attention, type Attention } from "./attention.ts";
import { expectedTable } from "./expected-table.ts";
import { heldShownMax, readNight } from "./night.ts";
import { partnersTable } from "./partners-table.ts";
import { figuresOf, headline } from "./summary.ts";

export function todayPage(context: ConsoleContext): Handler {
  return async (visit) => {
    const partnerIds = partnersOf(visit);
    const { night, tables } = await context.shared.of(`today ${scopeOf(visit)}`, visit, async () => {
      const night = await readNight(context, partnerIds);
      return { night, tables: [figuresOf(night), ...(await partnersTable(night)), ...(await expectedTable(night))] };
    });
    // What an account may do about it, with its own form's token.
    const needed = attention(visit, night);
    const [figures, ...rest] = tables;
    return {
      title: "Today",
      live: true,
      body: [headline(night, needed), figures, needs(needed, night.held.length > heldShownMax), ...rest].filter(
        (piece) => piece !== undefined,
      ),
    };
  };
}

function needs(needed: readonly Attention[], more: boolean): Html {
  if (needed.length === 0) return html``;
  const items = needed.map(
    ({ tone, word, what, detail, actions }) =>
      html`<li>
        ${badge(tone, word)}
        <div class="what"><strong>${what}</strong><span class="quiet">${detail}</span></div>
        <div class="actions">${actions}</div>
      </li>`,
  );
  return html`<section aria-labelledby="needs">
    <h2 id="needs">Needs a person</h2>
    <ul class="needs">
      ${items}
    </ul>
    ${more && html`<p><a href="/console/deliveries?result=held">All that is held</a></p>`}
  </section>`;
}
