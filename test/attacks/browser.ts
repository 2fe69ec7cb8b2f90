/** A browser without a screen: it keeps cookies as RFC 6265 has them, follows redirects and sends forms. */
import { Agent, request as httpsRequest } from "node:https";

export type Page = { url: string; status: number; html: string; headers: Readonly<Record<string, unknown>> };

export type Browser = {
  open(url: string): Promise<Page>;
  /** Sends the form of the page whose action ends so, with its hidden fields and first choices; `fields` win. */
  send(page: Page, actionEnd: string, fields?: Readonly<Record<string, string>>): Promise<Page>;
  /** Where a form leads, without going there. */
  whereto(page: Page, actionEnd: string, fields?: Readonly<Record<string, string>>): Promise<string | null>;
  cookies(): readonly string[];
};

type Settings = {
  from: string;
  authority: string;
  /** Where redirects are followed to; others are only told. */ origin: string;
};

const redirectsMax = 10;
const answerWithinMs = 30_000;

export function createBrowser({ from, authority, origin }: Settings): Browser {
  const agent = new Agent({ keepAlive: false, ca: authority });
  const jar = new Map<string, string>();

  async function once(method: string, url: string, form?: string): Promise<Page & { location: string | null }> {
    const headers = {
      accept: "text/html",
      ...(jar.size === 0 ? {} : { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") }),
      ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
    };
    const page = await new Promise<Page>((resolve, reject) => {
      const request = httpsRequest(url, {
        agent,
        method,
        headers,
        localAddress: from,
        family: 4,
        timeout: answerWithinMs,
      });
      request.once("error", reject);
      request.once("timeout", () => request.destroy(new Error("no answer in time")));
      request.once("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("error", reject);
        response.once("end", () =>
          resolve({
            url,
            status: response.statusCode ?? 0,
            html: Buffer.concat(chunks).toString("utf8"),
            headers: response.headers,
          }),
        );
      });
      request.end(form);
    });
    keep(jar, page.headers["set-cookie"]);
    const location = page.headers.location;
    return { ...page, location: typeof location === "string" ? new URL(location, url).href : null };
  }

  async function follow(method: string, url: string, form?: string): Promise<Page> {
    let page = await once(method, url, form);
    for (let redirects = 0; page.location !== null; redirects += 1) {
      if (redirects === redirectsMax) throw new Error("the redirects have no end");
      if (new URL(page.location).origin !== origin) return { ...page, url: page.location };
      page = await once("GET", page.location);
    }
    return page;
  }

  return {
    open: (url) => follow("GET", url),
    async send(page, actionEnd, fields = {}) {
      const { action, body } = formOf(page, actionEnd, fields);
      return await follow("POST", action, body);
    },
    async whereto(page, actionEnd, fields = {}) {
      const { action, body } = formOf(page, actionEnd, fields);
      return (await once("POST", action, body)).location;
    },
    cookies: () => [...jar].map(([name, value]) => `${name}=${value}`),
  };
}

function keep(jar: Map<string, string>, given: unknown): void {
  for (const line of Array.isArray(given) ? (given as string[]) : []) {
    const [pair = "", ...attributes] = line.split(";");
    const [name = "", value = ""] = pair.trim().split(/=(.*)/s);
    const ends = attributes.some((one) => /^\s*max-age=0\s*$/i.test(one));
    if (ends) jar.delete(name);
    else jar.set(name, value);
  }
}

function formOf(
  page: Page,
  actionEnd: string,
  fields: Readonly<Record<string, string>>,
): { action: string; body: string } {
  for (const [, attributes = "", content = ""] of page.html.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)) {
    const action = /action="([^"]*)"/.exec(attributes)?.[1] ?? "";
    if (!action.endsWith(actionEnd)) continue;
    const filled = new Map<string, string>();
    for (const [input] of content.matchAll(/<(?:input|button)[^>]*>/g)) {
      const [name, value] = [/name="([^"]*)"/.exec(input)?.[1], /value="([^"]*)"/.exec(input)?.[1]];
      // The first choice and the first button are the ones taken.
      if (name !== undefined && !filled.has(name)) filled.set(name, unescape(value ?? "on"));
    }
    for (const [name, value] of Object.entries(fields)) filled.set(name, value);
    return { action: new URL(action, page.url).href, body: new URLSearchParams([...filled]).toString() };
  }
  throw new Error(`the page (${page.status}) has no form to …${actionEnd}: ${page.html.slice(-600)}`);
}

function unescape(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
