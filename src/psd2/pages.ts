/** The pages of the flow and of the sandbox bank: plain HTML with a style sheet of their own, no script, nothing from elsewhere. */
import type { BankName } from "./banks.ts";
import type { Login } from "./logins.ts";
import type { Psd2Status } from "./redirect.ts";
import { textsOf } from "./texts.ts";

const style = `
:root { color-scheme: light dark; --ink: #12202f; --paper: #f5f7f9; --card: #fff; --line: #8291a0; --accent: #0b5c6b; --on-accent: #fff; --quiet: #4a5a69; }
@media (prefers-color-scheme: dark) { :root { --ink: #eef3f6; --paper: #10171d; --card: #1a242c; --line: #71818f; --accent: #7ad0de; --on-accent: #06262c; --quiet: #b4c1cc; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--paper); color: var(--ink); font: 1.0625rem/1.55 system-ui, sans-serif; }
main { width: 100%; max-width: 30rem; background: var(--card); border-radius: 1rem; padding: clamp(1.25rem, 5vw, 2.25rem); box-shadow: 0 1px 2px #0002, 0 12px 32px #0001; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; }
p { margin: 0 0 1rem; } .quiet { color: var(--quiet); font-size: .9375rem; }
fieldset { border: 0; margin: 0 0 1.5rem; padding: 0; } legend { font-weight: 600; padding: 0; margin-bottom: .5rem; }
.choice { display: flex; gap: .75rem; align-items: center; border: 1px solid var(--line); border-radius: .625rem; padding: .75rem 1rem; margin-bottom: .5rem; cursor: pointer; }
.choice:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.choice input { width: 1.25rem; height: 1.25rem; accent-color: var(--accent); flex: none; margin: 0; }
.choice small { display: block; color: var(--quiet); overflow-wrap: anywhere; }
button { font: inherit; font-weight: 600; width: 100%; min-height: 2.875rem; border-radius: .625rem; border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); cursor: pointer; margin-top: .5rem; padding: .5rem 1rem; }
button.second { background: transparent; color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.problem { border-left: 4px solid #b3261e; padding-left: .75rem; }
.bank { letter-spacing: .02em; color: var(--quiet); font-weight: 600; margin-bottom: .25rem; }`;

/**
 * For every page: no script, no frame. Browsers hold redirects after a form to form-action too, and these lead to banks and to
 * partners' addresses; the pages have no form that anyone else could have put there.
 */
export const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self' https: http://localhost:* http://127.0.0.1:*; frame-ancestors 'none'; base-uri 'none'";

export function choosePage(login: Pick<Login, "id" | "language">, key: string, banks: readonly BankName[]): string {
  const say = textsOf(login.language);
  const action = `/psd2/${login.id}`;
  const choices = banks.map((bank, at) => choice("radio", "bank", bank.id, bank.name, bank.country, at === 0)).join("");
  const form = banks.length === 0
    ? `<p>${escape(say["choose.none"]!)}</p>`
    : `<form method="post" action="${action}/bank">${hidden("key", key)}<fieldset><legend>${escape(say["choose.legend"]!)}</legend>${choices}</fieldset><button>${escape(say["choose.submit"]!)}</button></form>`;
  return page(login.language, say["choose.title"]!, `<p>${escape(say["choose.text"]!)}</p>${form}<form method="post" action="${action}/abort">${hidden("key", key)}<button class="second">${escape(say["abort"]!)}</button></form>`);
}

export function endPage(language: string, outcome: Psd2Status): string {
  const say = textsOf(language);
  return page(language, say[`end.${outcome}.title`]!, `<p>${escape(say[`end.${outcome}.text`]!)}</p>`);
}

export function gonePage(language: string): string {
  const say = textsOf(language);
  return page(language, say["gone.title"]!, `<p>${escape(say["gone.text"]!)}</p>`);
}

export type SandboxPerson = { id: string; name: string };

export function signInPage(language: string, fields: Readonly<Record<string, string>>, people: readonly SandboxPerson[]): string {
  const say = textsOf(language);
  const choices = people.map(({ id, name }, at) => choice("radio", "person", id, name, "", at === 0)).join("");
  return bankPage(language, `<form method="post" action="/sandbox-bank/accounts">${hiddenAll(fields)}<fieldset><legend>${escape(say["sandbox.person"]!)}</legend>${choices}</fieldset>
<button>${escape(say["sandbox.signIn"]!)}</button></form>${refuseForm(language, fields)}`);
}

export function accountsPage(language: string, fields: Readonly<Record<string, string>>, accounts: readonly { id: string; name: string; iban: string }[], until: string, hasProblem: boolean): string {
  const say = textsOf(language);
  const choices = accounts.map(({ id, name, iban }) => choice("checkbox", "account", id, name, iban, true)).join("");
  const date = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(new Date(until));
  const problem = hasProblem ? `<p class="problem" role="alert">${escape(say["sandbox.noAccount"]!)}</p>` : "";
  return bankPage(language, `${problem}<p>${escape(say["sandbox.purpose"]!.replace("{date}", date))}</p>
<form method="post" action="/sandbox-bank/decision">${hiddenAll(fields)}<fieldset><legend>${escape(say["sandbox.accounts"]!)}</legend>${choices}</fieldset>
<button name="decision" value="approve">${escape(say["sandbox.approve"]!)}</button></form>${refuseForm(language, fields)}`);
}

function refuseForm(language: string, fields: Readonly<Record<string, string>>): string {
  const say = textsOf(language);
  return `<form method="post" action="/sandbox-bank/decision">${hiddenAll(fields)}<button class="second" name="decision" value="refuse">${escape(say["sandbox.refuse"]!)}</button>
<button class="second" name="decision" value="fail">${escape(say["sandbox.fail"]!)}</button></form>`;
}

function bankPage(language: string, content: string): string {
  const say = textsOf(language);
  return page(language, say["sandbox.title"]!, `<p class="quiet">${escape(say["sandbox.note"]!)}</p>${content}`);
}

function choice(type: "radio" | "checkbox", name: string, value: string, label: string, more: string, checked: boolean): string {
  const small = more === "" ? "" : `<small>${escape(more)}</small>`;
  return `<label class="choice"><input type="${type}" name="${name}" value="${escape(value)}"${checked ? " checked" : ""}><span>${escape(label)}${small}</span></label>`;
}

function hidden(name: string, value: string): string {
  return `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`;
}

function hiddenAll(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields).map(([name, value]) => hidden(name, value)).join("");
}

function page(language: string, title: string, content: string): string {
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(title)}</title><style>${style}</style></head>
<body><main><h1>${escape(title)}</h1>${content}</main></body></html>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}
