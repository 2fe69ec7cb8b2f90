/** The way of a user who connects a bank, step by step, as a browser without scripts goes it. Pure. */
import type { Random } from "../faults/random.ts";
import type { Answer, Call } from "./http.ts";

export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A link or a form; of a link the fields are its query. */
export type Step = { name: string; method: "GET" | "POST"; path: string; fields: Fields };

export const ends = { approve: "SUCCESS", refuse: "ABORTED", fail: "UNKNOWN" } as const;
export type Decision = keyof typeof ends;

export function callOf({ method, path, fields }: Step): Call {
  const text = new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])),
  ).toString();
  if (method === "GET") return { method, path: text === "" ? path : `${path}?${text}` };
  return { method, path, headers: { "content-type": "application/x-www-form-urlencoded" }, body: Buffer.from(text) };
}

export function firstStep(url: string): Step {
  return linked("choose a bank", url);
}

/** Null: the way ends here. @throws TypeError when the page is not the one that should come */
export function stepAfter(random: Random, { name, path }: Step, answer: Answer, decision: Decision): Step | null {
  const html = answer.body.toString();
  const { location = "" } = answer.headers;
  const form = (name: string, to: string, more: Fields): Step => ({
    name,
    method: "POST",
    path: to,
    fields: { ...hiddenFields(html), ...more },
  });
  switch (name) {
    case "choose a bank":
      return form("bank chosen", `${path}/bank`, { bank: "sandbox" });
    case "bank chosen":
      return linked("sign in", location);
    case "sign in":
      return form("choose accounts", "/sandbox-bank/accounts", { person: random.pick(["anna", "mikkel", "saga"]) });
    case "choose accounts":
      return form("decide", "/sandbox-bank/decision", { account: valuesOf(html, "account"), decision });
    case "decide":
      return linked("come back", location);
    default:
      return null;
  }
}

export function givingUp({ path, fields }: Step): Step {
  return { name: "give up", method: "POST", path: `${path}/abort`, fields: { key: fields.key ?? "" } };
}

function linked(name: string, address: string): Step {
  const { pathname, searchParams } = new URL(address);
  return { name, method: "GET", path: pathname, fields: Object.fromEntries(searchParams) };
}

/** Of the page's first form. */
function hiddenFields(html: string): Record<string, string> {
  const form = html.slice(html.indexOf("<form"), html.indexOf("</form>"));
  return Object.fromEntries(
    [...form.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [
      name,
      value.replaceAll("&amp;", "&"),
    ]),
  );
}

function valuesOf(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`name="${name}" value="([^"]*)"`, "g"))].map(([, value = ""]) => value);
}
