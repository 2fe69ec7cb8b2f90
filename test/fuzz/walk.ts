/** The way of a user who connects a bank, step by step, as a browser without scripts goes it. Pure. */
import type { Random } from "../faults/random.ts";
import type { Answer, Call } from "./http.ts";

export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A link or a form; of a link the fields are its query. */
export type Step = {
  name: string;
  method: "GET" | "POST";
  path: string;
  fields: Fields;
  /** What the login's page gave the browser; null before. */
  cookie: string | null;
};

export const ends = { approve: "SUCCESS", refuse: "ABORTED", fail: "UNKNOWN" } as const;
export type Decision = keyof typeof ends;

export function callOf({ method, path, fields, cookie }: Step): Call {
  const text = new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])),
  ).toString();
  const kept = cookie === null ? {} : { cookie };
  if (method === "GET") return { method, path: text === "" ? path : `${path}?${text}`, headers: kept };
  const headers = { "content-type": "application/x-www-form-urlencoded", ...kept };
  return { method, path, headers, body: Buffer.from(text) };
}

export function firstStep(url: string): Step {
  return linked("open the page", url, null);
}

/** Null: the way ends here. @throws TypeError when the page is not the one that should come */
export function stepAfter(random: Random, before: Step, answer: Answer, decision: Decision): Step | null {
  const { name, path } = before;
  const html = answer.body.toString();
  const { location = "" } = answer.headers;
  const cookie = before.cookie ?? cookieIn(answer);
  const form = (name: string, to: string, more: Fields): Step => ({
    name,
    method: "POST",
    path: to,
    fields: { ...hiddenFields(html), ...more },
    cookie,
  });
  switch (name) {
    case "open the page":
      return form("confirm", `${path}/confirm`, {});
    case "confirm":
      return linked("choose a bank", location, cookie);
    case "choose a bank":
      return form("bank chosen", `${path}/bank`, { bank: "sandbox" });
    case "bank chosen":
      return linked("sign in", location, cookie);
    case "sign in":
      return form("choose accounts", "/sandbox-bank/accounts", { person: random.pick(["anna", "mikkel", "saga"]) });
    case "choose accounts":
      return form("decide", "/sandbox-bank/decision", { account: valuesOf(html, "account"), decision });
    case "decide":
      return linked("come back", location, cookie);
    default:
      return null;
  }
}

export function givingUp({ path, fields, cookie }: Step): Step {
  return { name: "give up", method: "POST", path: `${path}/abort`, fields: { key: fields.key ?? "" }, cookie };
}

function linked(name: string, address: string, cookie: string | null): Step {
  const { pathname, searchParams } = new URL(address, "https://localhost");
  return { name, method: "GET", path: pathname, fields: Object.fromEntries(searchParams), cookie };
}

function cookieIn({ headers }: Answer): string | null {
  const given = [headers["set-cookie"]].flat()[0];
  return given?.split(";")[0] ?? null;
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
