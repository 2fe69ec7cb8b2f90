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
    let text = parts[0] ?? "";
    for (const [at, value] of values.entries()) text += `${textOf(value)}${parts[at + 1] ?? ""}`;
    return new Html(text);
  }
}

/** One piece of several, one after the other. */
export function joined(pieces: readonly Html[]): Html {
  return Html.fill(pieces.map(() => "").concat(""), pieces);
}

/** `null`, `undefined` and `false` are nothing; a list is its pieces one after the other. */
export type Content = Html | string | number | null | undefined | false | readonly Content[];

/** For text and for attributes in double quotes; nowhere else may a value stand. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  return Html.fill(squeezed(parts), values);
}

/** In a template of `halves`: where the pieces between them stand. */
export const here: unique symbol = Symbol("here");

/** One template as two pieces, with others between them: what is before `here`, and what is after it. */
export function halves(
  parts: TemplateStringsArray,
  ...values: readonly (Content | typeof here)[]
): readonly [before: Html, after: Html] {
  const at = values.indexOf(here);
  const texts = squeezed(parts);
  const contents = values as readonly Content[];
  return [
    Html.fill(texts.slice(0, at + 1), contents.slice(0, at)),
    Html.fill(texts.slice(at + 1), contents.slice(at + 1)),
  ];
}

/** A template's texts by itself, which are the same list whenever it is filled. */
const known = new WeakMap<readonly string[], readonly string[]>();

/** How the source is set out is nothing to browsers, and was a fifth of a page: a line's end says the same. */
function squeezed(parts: readonly string[]): readonly string[] {
  let short = known.get(parts);
  if (!short) {
    short = parts.map((part) => part.replaceAll(/\s*\n\s*/g, "\n"));
    known.set(parts, short);
  }
  return short;
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
