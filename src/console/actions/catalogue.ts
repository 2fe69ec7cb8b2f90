/** Changes of the catalogue: the same as `tideline catalogue put`, `remove` and `reset`. */
import {
  idOf,
  putProduct,
  readCatalogue,
  readProduct,
  removeProduct,
  resetProduct,
  type WrittenProduct,
} from "../../operations/catalogue.ts";
import { notFound, Turned } from "../access/guard.ts";
import { actorOf, type ConsoleContext, type Handler, type Visit } from "../context.ts";
import { newProduct, productForm } from "../pages/catalogue/product.ts";
import { ofWholeService } from "../pages/catalogue/edits.ts";
import { html } from "../templates/html.ts";

function writtenIn({ given }: Visit): WrittenProduct {
  const text = (name: string) => given[name] ?? "";
  return {
    title: text("title"),
    type: text("type"),
    category: text("category"),
    words: text("words"),
    countries: text("countries"),
    frequencies: text("frequencies"),
    cancellation: text("cancellation"),
    hasTrial: text("hasTrial") !== "",
    equipmentBack: text("equipmentBack") !== "",
    moneyBack: text("moneyBack") !== "",
  };
}

export function newProductAction({ database }: ConsoleContext): Handler {
  return async (visit) => {
    ofWholeService(visit);
    const written = writtenIn(visit);
    const id = idOf(written.title);
    const { products } = await readCatalogue(database);
    const isTaken = products.some(({ product }) => product.id === id);
    const read = readProduct(id, written);
    const problems = [
      ...("problems" in read ? read.problems : []),
      ...(isTaken ? [`There is a product ${id} already: change that one, or choose another title.`] : []),
    ];
    if ("problems" in read || isTaken) return newProduct(visit, written, problems);
    const done = await putProduct(database, actorOf(visit), read);
    if (done.outcome === "declined") throw new Turned(409, "Not done", done.why);
    return { goTo: `/console/catalogue/products/${id}` };
  };
}

export function editProductAction({ database }: ConsoleContext): Handler {
  return async (visit) => {
    ofWholeService(visit);
    const { id = "" } = visit.request.params as { id?: string };
    const { products } = await readCatalogue(database);
    if (!products.some(({ product }) => product.id === id)) notFound("product");
    const written = writtenIn(visit);
    const read = readProduct(id, written);
    const at = `/console/catalogue/products/${id}`;
    if ("problems" in read)
      return {
        title: "Not kept",
        status: 422,
        body: html`<nav class="crumbs" aria-label="Where you are">
            <a href="/console/catalogue">Catalogue</a> › <a href="${at}">${id}</a>
          </nav>
          <h1>It was not kept</h1>
          ${productForm(visit, at, written, read.problems)}`,
      };
    const done = await putProduct(database, actorOf(visit), read);
    if (done.outcome === "declined") throw new Turned(409, "Not done", done.why);
    return { goTo: at };
  };
}

export function takeProductAction({ database }: ConsoleContext, how: "remove" | "reset"): Handler {
  return async (visit) => {
    ofWholeService(visit);
    const { id = "" } = visit.request.params as { id?: string };
    const done = await (how === "remove" ? removeProduct : resetProduct)(database, actorOf(visit), id);
    if (done.outcome === "declined") throw new Turned(409, "Not done", done.why);
    return { goTo: `/console/catalogue/products/${encodeURIComponent(id)}` };
  };
}
