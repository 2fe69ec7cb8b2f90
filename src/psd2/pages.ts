/** The pages of the flow. */
import type { BankName } from "./banks.ts";
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
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self' https: http://localhost:* http://127.0.0.1:*; frame-ancestors 'none'; base-uri 'none'";

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

export function choosePage(login: Shown, key: string, banks: readonly BankName[]): string {
  const say = texts[login.language];
  const action = `/psd2/${login.id}`;
  const choices = banks.map((bank, at) => choice("radio", "bank", bank.id, bank.name, bank.country, at === 0)).join("");
  const form =
    banks.length === 0
      ? `<p>${escape(say["choose.none"])}</p>`
      : `<form method="post" action="${action}/bank">${hidden("key", key)}<fieldset><legend>${escape(say["choose.legend"])}</legend>${choices}</fieldset><button>${escape(say["choose.submit"])}</button></form>`;
  return page(
    login.language,
    say["choose.title"],
    `<p>${filled(say["choose.for"], login)}</p>${hintOf(login)}<p>${escape(say["choose.text"])}</p>${form}<form method="post" action="${action}/abort">${hidden("key", key)}<button class="second">${escape(say.abort)}</button></form>`,
  );
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
