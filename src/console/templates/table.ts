/** A table that scrolls by itself where the screen is narrow, by keyboard too. */
import { html, type Html } from "./html.ts";

/** A column's head; figures stand to the right. */
export type Head = string | { number: string };

/** @param name of what it shows, for who cannot see it; its columns are told by `heads`, its cells by `rows` */
export function table(name: string, heads: readonly Head[], rows: readonly Html[]): Html {
  const cells = heads.map((head) =>
    typeof head === "string"
      ? html`<th scope="col">${head}</th>`
      : html`<th scope="col" class="number">${head.number}</th>`,
  );
  return html`<div class="scroll" role="region" aria-label="Table: ${name}" tabindex="0">
    <table>
      <thead>
        <tr>
          ${cells}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}
