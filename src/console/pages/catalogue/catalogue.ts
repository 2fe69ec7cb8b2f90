/** *Catalogue*: the products that are known beforehand, what operators changed of them, and what users call subscriptions. */
import { readCatalogue } from "../../../operations/catalogue.ts";
import { findProduct, type ListedProduct } from "../../../payments/catalogue.ts";
import { merchantOf } from "../../../payments/merchant.ts";
import { listEdits, useCurrentProducts } from "../../../recognition/product-edits.ts";
import { type ReviewedPayee, reviewSubmissions } from "../../../recognition/review.ts";
import { isAtLeast } from "../../access/accounts.ts";
import type { ConsoleContext, Handler, Visit } from "../../context.ts";
import { badge, count, countOf } from "../../templates/figures.ts";
import { field, select } from "../../templates/forms.ts";
import { html, type Html } from "../../templates/html.ts";
import { table } from "../../templates/table.ts";
import { categoryName, editsSection, ofWholeService } from "./edits.ts";

const payeesShownMax = 50;
const editsShownMax = 20;
const productsShownMax = 200;

export function cataloguePage({ reading }: ConsoleContext): Handler {
  return async (visit) => {
    ofWholeService(visit);
    const { find = "", which = "" } = visit.given;
    await useCurrentProducts(reading);
    const [{ products, edits }, payees, made] = await Promise.all([
      readCatalogue(reading),
      reviewSubmissions(reading, payeesShownMax),
      listEdits(reading, null, editsShownMax),
    ]);
    const edited = new Set(edits.map(({ productId }) => productId));
    const found = products.filter((one) => (which !== "edited" || edited.has(one.product.id)) && isMeant(one, find));
    return {
      title: "Catalogue",
      body: html`<div class="title">
          <h1>Catalogue</h1>
          ${isAtLeast(visit.account.role, "admin") && html`<a class="button" href="/console/catalogue/new">New product</a>`}
        </div>
        <p class="quiet">
          ${countOf(products.length, "product")} known beforehand, ${count(edited.size)} of them changed here. What is
          known makes recognition surer and prettier; it is never needed for it. The same as
          <code>tideline catalogue</code>.
        </p>
        ${reviewSection(payees, visit)} ${productsSection(found, edited, { find, which })} ${editsSection(made)}`,
    };
  };
}

function isMeant({ product, words, aliases }: ListedProduct, find: string): boolean {
  const text = find.toLowerCase();
  return [product.id, product.title, product.category, ...words, ...aliases].some((one) =>
    one.toLowerCase().includes(text),
  );
}

/** What users call subscriptions, with what is known of it by now; an unknown payee is one click from being a product. */
function reviewSection(payees: readonly ReviewedPayee[], { account }: Visit): Html {
  const mayEdit = isAtLeast(account.role, "admin");
  const rows = payees.map(({ payeeKey, users, success, notSubscription, technicalLimitation }) => {
    const known = payeeKey === null ? null : knownAs(payeeKey);
    const next =
      payeeKey === null
        ? html`<span class="quiet">perhaps persons</span>`
        : known !== null
          ? html`<a href="/console/catalogue/products/${known.id}">${known.title}</a>`
          : mayEdit
            ? html`<a href="/console/catalogue/new?word=${encodeURIComponent(payeeKey)}">make it a product</a>`
            : html`<span class="quiet">unknown</span>`;
    return html`<tr>
      <th scope="row" class="name">${payeeKey ?? html`<span class="quiet">not named</span>`}</th>
      <td class="number">${count(users)}</td>
      <td class="number">${count(success)}</td>
      <td class="number">${count(notSubscription)}</td>
      <td class="number">${count(technicalLimitation)}</td>
      <td>${next}</td>
    </tr>`;
  });
  return html`<section aria-labelledby="review">
    <h2 id="review">What users call subscriptions</h2>
    ${
      rows.length === 0
        ? html`<p class="quiet">No user has submitted a payment yet.</p>`
        : table(
            "payees that users call subscriptions",
            [
              "Payee",
              { number: "Users" },
              { number: "Became a service" },
              { number: "Judged none" },
              { number: "Could not be" },
              "In the catalogue",
            ],
            rows,
          )
    }
  </section>`;
}

/** In any country: what is sold elsewhere is known all the same. */
function knownAs(payeeKey: string): { id: string; title: string } | null {
  const merchant = merchantOf(null, payeeKey);
  return (
    ["DK", "SE", "NO", "FI", "DE", "NL", "GB", "FR", "PL", "CZ"]
      .map((country) => findProduct(merchant, country))
      .find((product) => product !== null) ?? null
  );
}

/** What is shipped is written as patterns, which the product's page has as they are. */
function inPlainWords(pattern: string): string {
  return pattern
    .replaceAll(/\\\*\??|\\[bsd][*+?]?|\?/g, " ")
    .replaceAll("\\", "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function productsSection(
  found: readonly ListedProduct[],
  edited: ReadonlySet<string>,
  { find, which }: { find: string; which: string },
): Html {
  const rows = found.slice(0, productsShownMax).map(
    ({ product, words, aliases }) =>
      html`<tr>
        <th scope="row"><a href="/console/catalogue/products/${product.id}">${product.title}</a></th>
        <td>${edited.has(product.id) ? badge("calm", "edited") : html`<span class="quiet">as shipped</span>`}</td>
        <td>${product.type === "SUBSCRIPTION" ? "subscription" : "other recurring"}</td>
        <td>${categoryName(product.category)}</td>
        <td>${product.countries.includes("*") ? "all" : product.countries.join(", ")}</td>
        <td class="name">${[...words, ...aliases.map(inPlainWords)].join(" · ")}</td>
      </tr>`,
  );
  return html`<section aria-labelledby="products">
    <h2 id="products">Products</h2>
    <form class="filter" role="search" aria-label="Products" action="/console/catalogue">
      ${field("find", "Part of a name, a category or a word", find, { type: "search" })}
      ${select("which", "Which", which, [
        ["", "all"],
        ["edited", "changed here"],
      ])}
      <div class="buttons"><button>Find</button></div>
    </form>
    ${
      rows.length === 0
        ? html`<p class="empty" role="status">Nothing fits. <a href="/console/catalogue">Show all</a></p>`
        : table("products", ["Product", "State", "Type", "Category", "Countries", "Found by"], rows)
    }
    ${found.length > productsShownMax && html`<p class="quiet">${count(found.length - productsShownMax)} more; narrow the search down.</p>`}
  </section>`;
}
