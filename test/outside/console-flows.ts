/** What an operator does on *Catalogue* and *Cancellations*, click by click, with scripts and without. */
import type { Page } from "playwright-core";
import { follow } from "./console-browser.ts";
import type { Report } from "./report.ts";
import type { Service } from "./service.ts";

/** @param judges is called on each page that is new, with its name */
export type Flow = {
  service: Service;
  report: Report;
  page: Page;
  base: string;
  called: string;
  judges(name: string): Promise<void>;
};

const namedWithinMs = 180_000;

/**
 * A payee that users name becomes a product, is changed and taken away again; a shipped one is changed, removed and reset.
 * The user is shown already.
 */
export async function keepCatalogue({ service, report, page, base, called, judges }: Flow): Promise<void> {
  const check = (what: string, seen: unknown, expected: string) =>
    report.check(`${called}: ${what}`, String(seen), expected);
  const products = async () => JSON.parse(await service.tideline("catalogue", "list", "--json")) as { id: string }[];
  const state = () => page.locator(".title .badge").innerText();
  await page.goto(`${base}/console`);
  await follow(page, page.getByRole("link", { name: "Catalogue", exact: true }));
  await judges("catalogue");
  await follow(page, page.getByRole("link", { name: "make it a product" }));
  check("the payee's name is the first word", await page.inputValue("#f-words"), "kajakbureauet nord");
  await judges("new-product");
  await follow(page, page.getByRole("button", { name: "Keep it" }));
  check("a category is asked for", await page.getByRole("alert").count(), "1");
  check("what was typed stays", await page.inputValue("#f-words"), "kajakbureauet nord");
  await judges("new-product-refused");
  await page.selectOption("#f-category", "LEISURE_FITNESS_SPORT");
  await page.check("#f-hasTrial");
  await follow(page, page.getByRole("button", { name: "Keep it" }));
  check("it is a product", await state(), "added here");
  check("by whom is told", await page.locator("#edits ~ div tbody .name").first().innerText(), "console:admin");
  check("the command line has it", (await products()).filter(({ id }) => id === "kajakbureauet-nord").length, "1");
  await page.fill("#f-title", "Kajakbureauet");
  await follow(page, page.getByRole("button", { name: "Keep it" }));
  check("it is called otherwise", await page.locator("h1").innerText(), "Kajakbureauet");
  await judges("product-added");
  await follow(page, page.getByRole("link", { name: "Catalogue", exact: true }).last());
  check(
    "the payee leads to it",
    await page.getByRole("link", { name: "Kajakbureauet" }).first().getAttribute("href"),
    "/console/catalogue/products/kajakbureauet-nord",
  );
  await page.selectOption("#f-which", "edited");
  await follow(page, page.getByRole("button", { name: "Find" }));
  check(
    "what was changed here is found",
    await page.locator("#products ~ div tbody th").allInnerTexts(),
    "Kajakbureauet",
  );
  await follow(page, page.locator("#products ~ div tbody th a"));
  await follow(page, page.getByRole("button", { name: "Take it out of the catalogue" }));
  check("it is gone", (await products()).filter(({ id }) => id === "kajakbureauet-nord").length, "0");
  await judges("product-gone");

  await page.goto(`${base}/console/catalogue?find=netflix`);
  await follow(page, page.getByRole("link", { name: "Netflix", exact: true }).first());
  check("a shipped one", await state(), "as shipped");
  await judges("product");
  await page.fill("#f-title", "Netflix of the North");
  await follow(page, page.getByRole("button", { name: "Keep it" }));
  check("is changed", await state(), "changed here");
  check("users' services are called so", await isCalled(page, base, "Netflix of the North"), "true");
  await page.goto(`${base}/console/catalogue/products/netflix`);
  await follow(page, page.getByRole("button", { name: "Take it out of the catalogue" }));
  check("is taken away", await state(), "taken away");
  await judges("product-removed");
  await follow(page, page.getByRole("button", { name: "As it was shipped" }));
  check("and is as it was", await state(), "as shipped");
  check("with its name", await page.locator("h1").innerText(), "Netflix");
}

/** The running service recognises its users anew by what was changed. */
async function isCalled(page: Page, base: string, title: string): Promise<boolean> {
  const deadline = performance.now() + namedWithinMs;
  do {
    await page.goto(`${base}/console/users?id=bodil`);
    if ((await page.getByRole("link", { name: title, exact: true }).count()) > 0) return true;
  } while (performance.now() < deadline);
  return false;
}

/** A case from the user's page: opened, asked, answered, confirmed; or given up. */
export async function cancelService(
  { service, report, page, base, called, judges }: Flow,
  ends: "confirmed" | "given up",
): Promise<void> {
  const check = (what: string, seen: unknown, expected: string) =>
    report.check(`${called}: ${what}`, String(seen), expected);
  const press = async (name: string) => follow(page, page.getByRole("button", { name, exact: true }));
  const state = () => page.locator("section[aria-label^='Case of'] .badge").first().innerText();
  const title = ends === "confirmed" ? "VESTERHAVETS SVOMMEKLUB" : "Netflix";
  await page.goto(`${base}/console/users?id=bodil`);
  if ((await page.locator("#f-reason").count()) > 0) {
    await page.fill("#f-reason", "she called");
    await press("Show them");
  }
  await follow(page, page.getByRole("link", { name: new RegExp(`^cancelling ${title}$`, "i") }));
  check("no case yet", await page.locator("section[aria-label^='Case of']").count(), "0");
  await judges("case-none");
  await page.fill("#f-open-message", "We write to them.");
  await press("Open a case");
  check("it is to be done", await state(), "to be done");
  check("its text stays with it", await page.getByText("We write to them.").count(), "1");
  await page.fill("#f-ask-message", "Which customer number do you have?");
  await judges("case");
  await press("Ask the user");
  check("it waits for the user", await state(), "waits for the user");
  await follow(page, page.getByRole("link", { name: "Cancellations", exact: true }).first());
  check("it is listed", await page.locator("h1").innerText(), "1 cancellation open");
  check(
    "by its name, since the user is shown",
    new RegExp(title, "i").test(await page.locator("tbody").innerText()),
    "true",
  );
  await judges("cancellations");
  await follow(page, page.locator("tbody th a"));
  await press("It is answered");
  check("it is to be done again", await state(), "to be done");
  if (ends === "confirmed") {
    await page.fill("#f-confirm-confirmation", "Their letter of today");
    await page.selectOption("#f-confirm-equipmentBack", "no");
    await press("It is cancelled");
    check("it is cancelled", await state(), "cancelled");
    // What can be done by then is told by the next run of recognition.
    const deadline = performance.now() + namedWithinMs;
    while ((await page.locator("main button").count()) > 0 && performance.now() < deadline) await page.reload();
    check("and nothing is left to do", await page.locator("main button").count(), "0");
  } else {
    await page.selectOption("#f-abort-reason", { index: 0 });
    await press("Give it up");
    check("it is given up", (await state()).startsWith("given up: "), "true");
    check("and may be opened again", await page.getByRole("button", { name: "Open a case" }).count(), "1");
  }
  await judges("case-ended");
  const listed = JSON.parse(await service.tideline("cancellation", "list", "--all", "--json")) as { state: string }[];
  check(
    "the command line tells the same",
    listed.filter(({ state: of }) => of === (ends === "confirmed" ? "CONFIRMED" : "ABORTED")).length,
    "1",
  );
  await page.goto(`${base}/console/cancellations?which=all`);
  await judges("cancellations-all");
}
