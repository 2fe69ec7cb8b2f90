/** Small pieces of forms. */
import { type Content, html, type Html } from "./html.ts";

export function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}" />`;
}

/** A button that does something at once. @param kind how it looks: "second" beside the first, "danger" for what is lost */
export function actionButton(
  at: string,
  formToken: string,
  label: Content,
  {
    kind = "",
    fields = {},
    about,
  }: { kind?: "" | "second" | "danger"; fields?: Readonly<Record<string, string>>; about?: string } = {},
): Html {
  const hidden = Object.entries({ form: formToken, ...fields }).map(([name, value]) => hiddenField(name, value));
  return html`<form class="inline" method="post" action="${at}">
    ${hidden}<button class="${kind}">
      ${label}${about !== undefined && html`<span class="unseen"> ${about}</span>`}
    </button>
  </form>`;
}

export type Choice = readonly [value: string, label: string];

export function select(name: string, label: string, chosen: string, choices: readonly Choice[]): Html {
  const options = choices.map(
    ([value, text]) => html`<option value="${value}" ${value === chosen ? html` selected` : ""}>${text}</option>`,
  );
  return html`<div class="field">
    <label for="f-${name}">${label}</label
    ><select id="f-${name}" name="${name}">
      ${options}
    </select>
  </div>`;
}

export function field(
  name: string,
  label: string,
  value: string,
  {
    type = "text",
    hint,
    required = false,
  }: { type?: "text" | "search" | "date" | "number"; hint?: string; required?: boolean } = {},
): Html {
  const described = hint !== undefined && html` aria-describedby="h-${name}"`;
  return html`<div class="field">
    <label for="f-${name}">${label}</label
    ><input
      id="f-${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      autocomplete="off"
      ${required && html` required`}${described}
    />${hint !== undefined && html`<small id="h-${name}">${hint}</small>`}
  </div>`;
}
