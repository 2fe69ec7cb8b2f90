/** The sandbox bank's pages, in the style of the flow's. */
import { choice, escape, hiddenAll, page } from "../../psd2/markup.ts";
import { type Language, textsOf } from "../../texts/languages.ts";

const texts = textsOf("bankConnection");

export type SandboxPerson = { id: string; name: string };

export function signInPage(
  language: Language,
  fields: Readonly<Record<string, string>>,
  people: readonly SandboxPerson[],
): string {
  const say = texts[language];
  const choices = people
    .map(({ id, name }, at) => choice("radio", "person", id, name, "", { checked: at === 0 }))
    .join("");
  return bankPage(
    language,
    `<form method="post" action="/sandbox-bank/accounts">${hiddenAll(fields)}<fieldset><legend>${escape(say["sandbox.person"])}</legend>${choices}</fieldset>
<button>${escape(say["sandbox.signIn"])}</button></form>${refuseForm(language, fields)}`,
  );
}

export function accountsPage(
  language: Language,
  fields: Readonly<Record<string, string>>,
  accounts: readonly { id: string; name: string; iban: string }[],
  until: string,
  hasProblem: boolean,
): string {
  const say = texts[language];
  const choices = accounts
    .map(({ id, name, iban }) => choice("checkbox", "account", id, name, iban, { checked: true }))
    .join("");
  const date = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(new Date(until));
  const problem = hasProblem ? `<p class="problem" role="alert">${escape(say["sandbox.noAccount"])}</p>` : "";
  return bankPage(
    language,
    `${problem}<p>${escape(say["sandbox.purpose"].replace("{date}", date))}</p>
<form method="post" action="/sandbox-bank/decision">${hiddenAll(fields)}<fieldset><legend>${escape(say["sandbox.accounts"])}</legend>${choices}</fieldset>
<button name="decision" value="approve">${escape(say["sandbox.approve"])}</button></form>${refuseForm(language, fields)}`,
  );
}

function refuseForm(language: Language, fields: Readonly<Record<string, string>>): string {
  const say = texts[language];
  return `<form method="post" action="/sandbox-bank/decision">${hiddenAll(fields)}<button class="second" name="decision" value="refuse">${escape(say["sandbox.refuse"])}</button>
<button class="second" name="decision" value="fail">${escape(say["sandbox.fail"])}</button></form>`;
}

function bankPage(language: Language, content: string): string {
  const say = texts[language];
  return page(language, say["sandbox.title"], `<p class="quiet">${escape(say["sandbox.note"])}</p>${content}`);
}
