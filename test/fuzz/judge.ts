/** Whether an answer is one that a broken batch or call may get. Pure: the tests beside it prove that it notices. */
import type { Answer } from "./http.ts";

/** What tells of the inside: stack frames, modules, statements, the database's own words. */
const insides =
  /\n\s+at .+:\d+|node_modules|\/(src|workers)\/[\w/-]+\.ts|SQLSTATE|\b(select|insert|update) [\w*,". ]+ (from|into|set) /i;

/**
 * Null, or what is wrong with any answer whatever was asked. @param secrets what this caller must never see @param
 * mayBePage where browsers ask
 */
export function problemOfAny(answer: Answer, secrets: readonly string[], mayBePage = false): string | null {
  const { status, headers, body } = answer;
  const text = body.toString("latin1");
  if (status >= 500 && !isBusy(answer)) return `answered with ${status}`;
  if (status > 0 && headers["x-correlation-id"] === undefined) return "an answer without a correlation id";
  if (status >= 400 && insides.test(text)) return "an answer that tells of the inside";
  const told = secrets.find((secret) => body.includes(secret));
  if (told !== undefined) return `an answer with what belongs to another: ${told}`;
  if (mayBePage && isPage(answer)) return null;
  return status >= 400 && body.length > 0 && !isJson(body) ? "a refusal that is no JSON" : null;
}

/** Tags and attributes that do something, of which the pages need none; and links that leave. */
const active =
  /^<(script|iframe|object|embed|svg|base|meta http-equiv)|\son\w+\s*=|\b(href|src|action|formaction)="(?!\/[^/])/i;

/** The only one there is: a login's, for nobody but its browser. */
const loginCookie =
  /^__Host-tideline-[0-9a-f-]{36}=[A-Za-z0-9_-]{43}; Max-Age=1800; Path=\/; HttpOnly; Secure; SameSite=Lax$/;

/** Null, or what is wrong with an answer to a browser. */
export function problemOfPage(answer: Answer, mayGoTo: (address: string) => boolean): string | null {
  const { status, headers, body } = answer;
  if (status >= 300 && status < 400 && !mayGoTo(headers.location ?? "")) return `a redirect to ${headers.location}`;
  if ([headers["set-cookie"] ?? []].flat().some((cookie) => !loginCookie.test(cookie)))
    return "an answer with a cookie";
  if (!isPage(answer)) return null;
  if (!/default-src 'none'/.test(String(headers["content-security-policy"]))) return "a page without a policy";
  // Values are text whatever they say, as long as they are quoted.
  const tags =
    body
      .toString()
      .replace(/<style>[^<]*<\/style>/, "")
      .match(/<(?:"[^"]*"|[^">])*>/g) ?? [];
  const found = tags.map((tag) => tag.replaceAll(/\bvalue="[^"]*"/g, "")).find((tag) => active.test(tag));
  return found === undefined ? null : `a page with ${found}`;
}

function isPage({ headers }: Answer): boolean {
  return String(headers["content-type"]).startsWith("text/html");
}

/** The one refusal above 499 that a caller may get: there is too much to do, and when to come again. */
export function isBusy({ status, headers, body }: Answer): boolean {
  return status === 503 && headers["retry-after"] !== undefined && codeIn(body) === "BUSY";
}

export function codeIn(body: Buffer): string | undefined {
  try {
    const { code, errorCode } = JSON.parse(body.toString()) as { code?: string; errorCode?: string };
    return errorCode ?? code;
  } catch {
    return undefined;
  }
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString());
    return true;
  } catch {
    return false;
  }
}

/** What may differ from one answer to the next with the same meaning. */
const ownHeaders = new Set([
  "date",
  "x-correlation-id",
  "connection",
  "keep-alive",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
]);

/** Equal for two answers that tell a caller the same: status, headers and body, without the correlation id. */
export function fingerprintOf({ status, headers, body }: Answer): string {
  const correlationId = String(headers["x-correlation-id"] ?? "");
  const told = Object.entries(headers)
    .filter(([name]) => !ownHeaders.has(name))
    .toSorted(([a], [b]) => a.localeCompare(b));
  return JSON.stringify([status, told, body.toString("latin1").replaceAll(correlationId, "")]);
}

export type Expected = { codes: readonly string[]; mayBeTaken: boolean };

/** Null, or what is wrong with the answer to a broken batch. */
export function problemOfBatch(answer: Answer, { codes, mayBeTaken }: Expected): string | null {
  const code = codeIn(answer.body);
  if (answer.status === 201) return mayBeTaken ? null : "a broken batch was taken";
  if (answer.status === 413) return null;
  if (answer.status !== 400) return `a broken batch was answered with ${answer.status}`;
  return code !== undefined && codes.includes(code) ? null : `a broken batch was answered with ${code ?? "no code"}`;
}
