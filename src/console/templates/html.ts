/**
 * HTML as a typed template: what is put into one is escaped, unless it is itself such a piece. There is no way to mark a
 * text as safe, so that nothing that a partner or a bank wrote can become markup.
 */
import { showUnseen } from "../../unseen-characters.ts";

/** A finished piece of HTML; made by `html` alone. */
export class Html {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  static fill(parts: readonly string[], values: readonly Content[]): Html {
    return new Html(parts.reduce((text, part, at) => `${text}${textOf(values[at - 1])}${part}`));
  }
}

/** `null`, `undefined` and `false` are nothing; a list is its pieces one after the other. */
export type Content = Html | string | number | null | undefined | false | readonly Content[];

/** For text and for attributes in double quotes; nowhere else may a value stand. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  return Html.fill(parts, values);
}

/** Most of what is put in: nothing to escape and nothing unseen, which one look tells. */
const plain = /^[\w \-.,:;/()+*%=#?!@]*$/;

function textOf(content: Content): string {
  if (content === null || content === undefined || content === false) return "";
  if (content instanceof Html) return content.toString();
  if (typeof content === "number") return String(content);
  // Characters that are not seen, or that turn others round, are shown as their numbers.
  if (typeof content === "string") return plain.test(content) ? content : escape(showUnseen(content));
  return content.map(textOf).join("");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
