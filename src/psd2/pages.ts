/** The pages of the flow. */
import { type BankChoice, type BankGroup, searchLengthMax } from "./bank-choice.ts";
import type { Login } from "./logins.ts";
import { choice, escape, hidden, page } from "./markup.ts";
import type { Psd2Status } from "./redirect.ts";
import { type Language, textsOf } from "../texts/languages.ts";

const texts = textsOf("bankConnection");

/**
 * For every page: no script, no frame. Browsers hold redirects after a form to form-action too, and these lead to banks
 * and to partners' addresses; the pages have no form that anyone else could have put there.
 */
export const pagePolicy =
  "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; form-action 'self' https: http://localhost:* http://127.0.0.1:*; frame-ancestors 'none'; base-uri 'none'";

type Shown = Pick<Login, "id" | "language" | "partnerName" | "customerHint">;

/** Before anything else: whose customer gets to see the payments, and whether that is who sits here. */
export function confirmPage(login: Shown, key: string): string {
  const say = texts[login.language];
  const action = `/psd2/${login.id}`;
  return page(
    login.language,
    say["confirm.title"].replace("{partner}", () => login.partnerName),
    `<p>${filled(say["confirm.text"], login)}</p>${hintOf(login)}<p class="problem">${filled(say["confirm.warning"], login)}</p>
<form method="post" action="${action}/confirm">${hidden("key", key)}<button>${escape(say["confirm.submit"])}</button></form>
<form method="post" action="${action}/abort">${hidden("key", key)}<button class="second">${escape(say["confirm.refuse"])}</button></form>`,
  );
}

export function choosePage(login: Shown, key: string, choice: BankChoice): string {
  const say = texts[login.language];
  const action = `/psd2/${login.id}`;
  return page(
    login.language,
    say["choose.title"],
    `<p>${filled(say["choose.for"], login)}</p>${hintOf(login)}<p>${escape(say["choose.text"])}</p>${searchForm(login, key, choice)}${bankForm(login, key, choice)}<form method="post" action="${action}/abort">${hidden("key", key)}<button class="second">${escape(say.abort)}</button></form>`,
  );
}

/** A page of its own for what is found: no script needed. */
function searchForm({ id, language }: Shown, key: string, { search, isLong }: BankChoice): string {
  if (!isLong) return "";
  const say = texts[language];
  const everything =
    search === "" ? "" : `<a href="/psd2/${id}?key=${encodeURIComponent(key)}">${escape(say["choose.all"])}</a>`;
  return `<form class="search" role="search" action="/psd2/${id}">${hidden("key", key)}<label for="search">${escape(say["choose.search"])}</label><input id="search" name="search" type="search" maxlength="${searchLengthMax}" autocomplete="off" value="${escape(search)}"><button class="second">${escape(say["choose.searchSubmit"])}</button>${everything}</form>`;
}

function bankForm({ id, language }: Shown, key: string, { groups, total, isLong }: BankChoice): string {
  const say = texts[language];
  if (total === 0) return `<p>${escape(say["choose.none"])}</p>`;
  if (groups.length === 0) return `<p role="status">${escape(say["choose.notFound"])}</p>`;
  const shown = groups.flatMap(({ banks }) => banks);
  // Of many none is chosen beforehand, unless the search left one.
  const first = isLong && shown.length > 1 ? null : shown[0];
  const list = groups.map((group) => groupOf(group, language, first?.id ?? null, isLong)).join("");
  return `<form method="post" action="/psd2/${id}/bank">${hidden("key", key)}<fieldset><legend>${escape(say["choose.legend"])}</legend>${list}</fieldset><div class="stay"><button>${escape(say["choose.submit"])}</button></div></form>`;
}

function groupOf(group: BankGroup, language: Language, checked: string | null, isLong: boolean): string {
  const country = group.country === "" ? texts[language]["choose.noCountry"] : countryIn(language, group.country);
  const choices = group.banks
    .map((bank) =>
      choice("radio", "bank", bank.id, bank.name, isLong || group.country === "" ? "" : country, {
        checked: bank.id === checked,
        required: true,
        picture: bank.hasLogo ? `/psd2/banks/${bank.id}/logo` : null,
      }),
    )
    .join("");
  if (!isLong) return choices;
  return `<details${group.isOpen ? " open" : ""}><summary>${escape(country)} <span class="quiet">(${group.banks.length})</span></summary>${choices}</details>`;
}

/** Operators write ISO 3166's two letters; anything else stands as they wrote it. */
function countryIn(language: Language, country: string): string {
  if (!/^[A-Z]{2}$/.test(country)) return country;
  return new Intl.DisplayNames([language], { type: "region", fallback: "code" }).of(country) ?? country;
}

export function endPage(language: Language, outcome: Psd2Status): string {
  const say = texts[language];
  return page(language, say[`end.${outcome}.title`], `<p>${escape(say[`end.${outcome}.text`])}</p>`);
}

/** For a browser that did not begin the login: it learns nothing of it, and nothing was done. */
export function elsewherePage(language: Language): string {
  const say = texts[language];
  return page(language, say["elsewhere.title"], `<p>${escape(say["elsewhere.text"])}</p>`);
}

export function gonePage(language: Language): string {
  const say = texts[language];
  return page(language, say["gone.title"], `<p>${escape(say["gone.text"])}</p>`);
}

function filled(text: string, { partnerName }: Shown): string {
  return escape(text.replaceAll("{partner}", () => partnerName));
}

function hintOf({ language, customerHint }: Shown): string {
  if (customerHint === null) return "";
  return `<p><strong>${escape(texts[language]["confirm.customer"].replace("{customer}", () => customerHint))}</strong></p>`;
}
