/** A user without scripts who connects a bank in the browser: our pages, then the sandbox bank's. */
import { request as httpsRequest } from "node:https";
import type { IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import type { ExecutionContext } from "ava";
import { giveBatchKeys } from "../../batch-keys.ts";
import { openWorld, partnerPath, type World } from "../world.ts";

export type Page = { status: number; headers: IncomingHttpHeaders; html: string };

/** The one browser of a world, if nothing else is said. */
const jars = new WeakMap<World, Map<string, string>>();

/** A browser without scripts: one call, redirects told and not followed. @param jar its cookies; null keeps none */
export function browse(
  world: World,
  method: string,
  address: string,
  form?: Record<string, string | string[]>,
  more: Record<string, string> = {},
  jar: Map<string, string> | null = jarOf(world),
): Promise<Page> {
  const url = new URL(address, `https://localhost:${world.port}`);
  const body =
    form === undefined
      ? undefined
      : new URLSearchParams(
          Object.entries(form).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
        ).toString();
  const headers = {
    "accept-language": "da",
    accept: "text/html, */*;q=0.1",
    ...(body === undefined
      ? {}
      : { "content-type": "application/x-www-form-urlencoded", "content-length": String(Buffer.byteLength(body)) }),
    ...(jar === null || jar.size === 0
      ? {}
      : { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") }),
    ...more,
  };
  return new Promise((resolve, reject) => {
    const call = httpsRequest(url, { method, ca: world.authority, headers, agent: false }, (response) => {
      text(response).then((html) => {
        for (const line of response.headers["set-cookie"] ?? []) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          jar?.set(name, value);
        }
        resolve({ status: response.statusCode ?? 0, headers: response.headers, html });
      }, reject);
    });
    call.on("error", reject);
    call.end(body);
  });
}

function jarOf(world: World): Map<string, string> {
  const jar = jars.get(world) ?? new Map<string, string>();
  jars.set(world, jar);
  return jar;
}

/** The hidden fields of a page's first form. */
export function fieldsOf(html: string): Record<string, string> {
  const form = html.slice(html.indexOf("<form"), html.indexOf("</form>"));
  return Object.fromEntries(
    [...form.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [
      name,
      value.replaceAll("&amp;", "&"),
    ]),
  );
}

export const done = "https://bank.example/app/done?order=7";

export async function start(
  t: ExecutionContext,
  redirectUrl: string | undefined = done,
): Promise<{ world: World; page: Page; path: string; token: string; url: string; loginId: string }> {
  const world = await openWorld(t, { refreshUser: async () => undefined });
  await world.database.query(
    `update partners set settings = '{"psd2": {"redirectPrefixes": ["https://bank.example/app"], "sandbox": true}}' where id = 'north'`,
  );
  await giveBatchKeys(world.database, world.keyEncryptionKey, "north");
  const { token } = await world.newUser("anna");
  const { url, loginId } = await initiate(t, world, token, redirectUrl === "" ? {} : { redirectUrl });
  const page = await confirm(world, url);
  return { world, page, path: new URL(url).pathname, token, url, loginId };
}

export async function initiate(
  t: ExecutionContext,
  world: World,
  token: string,
  body: object,
): Promise<{ url: string; loginId: string }> {
  const answer = await world.call("POST", `${partnerPath}/psd2/initiate`, { token, body });
  t.is(answer.status, 200);
  const started = answer.json as { url: string; loginId: string };
  t.true(started.url.includes(started.loginId));
  return started;
}

/** Opens the page and says that it is for who sits here. @returns the list of banks */
export async function confirm(world: World, url: string): Promise<Page> {
  const first = await browse(world, "GET", url);
  const confirmed = await browse(world, "POST", `${new URL(url).pathname}/confirm`, fieldsOf(first.html));
  return await browse(world, "GET", confirmed.headers.location ?? "");
}

/** From the list of banks to the sandbox bank's accounts. */
export async function signIn(
  world: World,
  { page, path }: { page: Page; path: string },
): Promise<Record<string, string>> {
  const chosen = await browse(world, "POST", `${path}/bank`, { ...fieldsOf(page.html), bank: "sandbox" });
  const authorize = await browse(world, "GET", chosen.headers.location ?? "");
  const accounts = await browse(world, "POST", "/sandbox-bank/accounts", {
    ...fieldsOf(authorize.html),
    person: "anna",
  });
  const ids = [...accounts.html.matchAll(/name="account" value="([^"]*)"/g)].map(([, id = ""]) => id);
  return { ...fieldsOf(accounts.html), accounts: ids.join(" ") };
}

export async function decide(world: World, fields: Record<string, string>, decision: string): Promise<Page> {
  const { accounts = "", ...others } = fields;
  const decided = await browse(world, "POST", "/sandbox-bank/decision", {
    ...others,
    decision,
    account: accounts.split(" "),
  });
  return await browse(world, "GET", decided.headers.location ?? "");
}
