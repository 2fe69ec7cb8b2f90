/** Names and what they are, side by side. */
import { type Content, html, type Html } from "./html.ts";

export function facts(pairs: readonly (readonly [name: string, value: Content])[]): Html {
  return html`<dl class="facts">
    ${pairs.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}
