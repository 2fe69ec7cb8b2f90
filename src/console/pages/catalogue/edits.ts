/** What the catalogue's pages share: whose it is, what a category is called, and who changed what. */
import { findCategory, nameOf } from "../../../categories/tree.ts";
import type { MadeEdit } from "../../../recognition/product-edits.ts";
import { Turned } from "../../access/guard.ts";
import { partnersOf, type Visit } from "../../context.ts";
import { html, type Html } from "../../templates/html.ts";
import { table } from "../../templates/table.ts";
import { when } from "../../templates/times.ts";

/** Products are of the whole service, and so are users' words about payees. @throws Turned */
export function ofWholeService(visit: Visit): void {
  if (partnersOf(visit) !== null)
    throw new Turned(403, "Not for your partners", "It is about the whole service; your account sees some partners.");
}

export function categoryName(id: string): string {
  const category = findCategory(id);
  return category === null ? id : nameOf(category, "en");
}

const kindWords: Readonly<Record<MadeEdit["kind"], string>> = {
  put: "written",
  removed: "taken away",
  reset: "as it was shipped again",
};

export function editsSection(made: readonly MadeEdit[]): Html {
  const rows = made.map(
    ({ productId, kind, product, actor, at }) =>
      html`<tr>
        <td class="when">${when(at, undefined)}</td>
        <th scope="row"><a href="/console/catalogue/products/${productId}">${product?.title ?? productId}</a></th>
        <td>${kindWords[kind]}</td>
        <td class="name">${actor}</td>
      </tr>`,
  );
  return html`<section aria-labelledby="edits">
    <h2 id="edits">Newest changes</h2>
    ${
      rows.length === 0
        ? html`<p class="quiet">Nothing was changed: the catalogue is as it was shipped.</p>`
        : table("changes of the catalogue", ["When", "Product", "What", "Who"], rows)
    }
  </section>`;
}
