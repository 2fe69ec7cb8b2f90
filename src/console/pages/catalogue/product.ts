/** One product of the catalogue: what is known of it, who changed what, and the form that changes it. */
import { expenseCategories } from "../../../categories/tree.ts";
import {
  blankProduct,
  cancellationWays,
  readCatalogue,
  writtenOf,
  type WrittenProduct,
} from "../../../operations/catalogue.ts";
import { shippedProduct } from "../../../payments/catalogue.ts";
import { listEdits } from "../../../recognition/product-edits.ts";
import { isAtLeast } from "../../access/accounts.ts";
import { notFound } from "../../access/guard.ts";
import type { ConsoleContext, Handler, Visit } from "../../context.ts";
import { badge } from "../../templates/figures.ts";
import { facts } from "../../templates/facts.ts";
import { actionButton, field, hiddenField, select } from "../../templates/forms.ts";
import { html, type Html } from "../../templates/html.ts";
import { categoryName, editsSection, ofWholeService } from "./edits.ts";

const editsShownMax = 50;
const wordLengthShownMax = 60;

const cancellationWords: Readonly<Record<(typeof cancellationWays)[number], string>> = {
  POSSIBLE: "can be cancelled for the user",
  EXPLAIN_WHY_NOT: "cannot, and the user is told why",
  STORE: "in the store where it was bought",
};

export function productPage({ reading }: ConsoleContext): Handler {
  return async (visit) => {
    ofWholeService(visit);
    const { id = "" } = visit.request.params as { id?: string };
    const [{ products, edits }, made] = await Promise.all([
      readCatalogue(reading),
      listEdits(reading, id, editsShownMax),
    ]);
    const found = products.find(({ product }) => product.id === id);
    const shipped = shippedProduct(id);
    if (found === undefined && made.length === 0) notFound("product");
    const isEdited = edits.some(({ productId }) => productId === id);
    const state =
      found === undefined
        ? badge("warn", "taken away")
        : isEdited
          ? badge("calm", shipped === null ? "added here" : "changed here")
          : badge("good", "as shipped");
    const title = found?.product.title ?? shipped?.title ?? id;
    const mayEdit = isAtLeast(visit.account.role, "admin");
    return {
      title,
      body: html`${crumbs()}
        <div class="title">
          <h1>${title}</h1>
          ${state}
        </div>
        ${
          found !== undefined &&
          facts([
            ["Id", html`<code>${id}</code>`],
            [
              "Found by, besides words",
              found.aliases.length === 0 ? "–" : html`<code>${found.aliases.join(" · ")}</code>`,
            ],
            ["Collects for others", found.product.isGateway ? "yes" : "no"],
          ])
        }
        ${found !== undefined && mayEdit && productForm(visit, `/console/catalogue/products/${id}`, writtenOf(found), [])}
        ${found !== undefined && !mayEdit && productFacts(writtenOf(found))}
        ${mayEdit && others(visit, id, { isEdited, isThere: found !== undefined, isShipped: shipped !== null })}
        ${editsSection(made)}`,
    };
  };
}

function crumbs(): Html {
  return html`<nav class="crumbs" aria-label="Where you are"><a href="/console/catalogue">Catalogue</a></nav>`;
}

function productFacts(written: WrittenProduct): Html {
  return facts([
    ["Type", written.type === "SUBSCRIPTION" ? "subscription" : "other recurring"],
    ["Category", categoryName(written.category)],
    ["Words", written.words === "" ? "–" : written.words],
    ["Sold in", written.countries],
    ["Frequencies", written.frequencies === "" ? "any" : written.frequencies.toLowerCase()],
  ]);
}

function others(
  { formToken }: Visit,
  id: string,
  { isEdited, isThere, isShipped }: { isEdited: boolean; isThere: boolean; isShipped: boolean },
): Html {
  const at = `/console/catalogue/products/${id}`;
  return html`<div class="actions after">
    ${isEdited && actionButton(`${at}/reset`, formToken, isShipped ? "As it was shipped" : "Take it out of the catalogue", { kind: isShipped ? "second" : "danger" })}
    ${isThere && isShipped && actionButton(`${at}/remove`, formToken, "Take it out of the catalogue", { kind: "danger" })}
  </div>`;
}

/** Of a payee that users name, with its name as the first word. */
export function newProductPage(): Handler {
  return async (visit) => {
    ofWholeService(visit);
    const word = (visit.given.word ?? "").slice(0, wordLengthShownMax);
    const title = word.toLowerCase().replaceAll(/(^|\s)\S/g, (letter) => letter.toUpperCase());
    return newProduct(visit, { ...blankProduct, title, words: word.toLowerCase() }, []);
  };
}

export function newProduct(visit: Visit, written: WrittenProduct, problems: readonly string[]) {
  return {
    title: "New product",
    ...(problems.length > 0 ? { status: 422 } : {}),
    body: html`${crumbs()}
      <h1>New product</h1>
      ${productForm(visit, "/console/catalogue/new", written, problems)}`,
  };
}

/** A field that was not understood is told above it, with what was typed kept. */
export function productForm(visit: Visit, at: string, written: WrittenProduct, problems: readonly string[]): Html {
  const check = (name: "hasTrial" | "equipmentBack" | "moneyBack", label: string) =>
    html`<div class="field check">
      <input id="f-${name}" name="${name}" type="checkbox" value="yes" ${written[name] && html`checked`} /><label
        for="f-${name}"
        >${label}</label
      >
    </div>`;
  const categories = expenseCategories
    .filter(({ parent }) => parent !== null)
    .map(({ id, parent }) => [id, `${categoryName(parent ?? "")}: ${categoryName(id)}`] as const);
  return html`${
      problems.length > 0 &&
      html`<div class="notice bad" role="alert">
        <p>To be mended:</p>
        <ul>
          ${problems.map((problem) => html`<li>${problem}</li>`)}
        </ul>
      </div>`
    }
    <form class="onboarding" method="post" action="${at}">
      ${hiddenField("form", visit.formToken)}
      <fieldset>
        <legend>What it is</legend>
        ${field("title", "Title", written.title, { required: true, hint: "As users read it." })}
        ${select("type", "Type", written.type, [
          ["SUBSCRIPTION", "subscription: not essential"],
          ["OTHER_RECURRING", "other recurring: a fixed expense"],
        ])}
        ${select("category", "Category", written.category, [["", "choose one"], ...categories])}
      </fieldset>
      <fieldset>
        <legend>How it is found</legend>
        <div class="field wide">
          <label for="f-words">Words in the bank’s lines</label
          ><textarea
            id="f-words"
            name="words"
            rows="3"
            spellcheck="false"
            autocomplete="off"
            aria-describedby="h-words"
          >
${written.words}</textarea
          ><small id="h-words"
            >Whole words, separated by commas; found with accents and without. Three letters at least.</small
          >
        </div>
        ${field("countries", "Sold in", written.countries, { required: true, hint: "DK, SE; * for all countries." })}
        ${field("frequencies", "How often", written.frequencies, { hint: "MONTHLY, YEARLY; empty: any." })}
      </fieldset>
      <fieldset>
        <legend>Cancelling it</legend>
        ${select(
          "cancellation",
          "It",
          written.cancellation,
          cancellationWays.map((way) => [way, cancellationWords[way]] as const),
        )}
        ${check("equipmentBack", "Equipment has to go back")} ${check("moneyBack", "Money comes back")}
        ${check("hasTrial", "Known for trials that become memberships")}
      </fieldset>
      <div class="actions"><button>Keep it</button></div>
    </form>
    <p class="quiet">
      Every user is recognised anew in the background; nobody is notified of what is called otherwise from then on.
    </p>`;
}
