/**
 * A partner's developer's inbox for notifications, on the machine where the receiver is being written: it keeps what
 * comes with its very bytes, says whether the signature holds, passes it on to the program under development, and sends
 * it again as often as asked. Of the service it needs nothing but the key to check with.
 */
import { createPublicKey, verify } from "node:crypto";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { Webhook } from "standardwebhooks";
import { writeSmallFile } from "../machine/small-file.ts";
import type { InboxMessage, Verdict } from "./inbox-message.ts";
import { inboxPage, inboxPolicy, messagePage } from "./inbox-pages.ts";

export type InboxOptions = {
  port: number;
  /** Messages lie here as files of their own, and are there again at the next start. */
  folder: string;
  /** `whsec_…` or `whpk_…`; null: signatures are not checked. */
  key: string | null;
  /** The bearer token that senders must show; null: none. */
  token: string | null;
  /** Where each message goes on to, and what answers it then; null: it is answered here. */
  forwardTo: string | null;
  report(message: InboxMessage): void;
};

export type Inbox = { url: string; close(): Promise<void> };

/** Beyond any notification. */
const bodyBytesMax = 1024 * 1024;
/** The specification's advice. */
const toleranceSeconds = 300;
const forwardWithinMs = 30_000;
/** What goes on, and comes again: what the sender said of the message, none of what its connection needed. */
const passedHeaders = ["content-type", "webhook-id", "webhook-timestamp", "webhook-signature", "traceparent"];

export function verdictOf(key: string | null, headers: Readonly<Record<string, string>>, body: string): Verdict {
  if (key === null) return "not checked";
  const [id, at, signature] = [headers["webhook-id"], headers["webhook-timestamp"], headers["webhook-signature"]];
  if (id === undefined || at === undefined || signature === undefined) return "not signed";
  if (!isSignedBy(key, { id, at, signature }, body)) return "wrong signature";
  return Math.abs(Date.now() / 1000 - Number(at)) > toleranceSeconds ? "too old" : "verified";
}

type Signed = { id: string; at: string; signature: string };

/** While a key is changed there may be several signatures, with blanks between them. */
function isSignedBy(key: string, { id, at, signature }: Signed, body: string): boolean {
  if (!/^\d{1,12}$/.test(at)) return false;
  if (key.startsWith("whsec_")) {
    const expected = new Webhook(key).sign(id, new Date(Number(at) * 1000), body);
    return signature.split(" ").includes(expected);
  }
  const x = Buffer.from(key.replace(/^whpk_/, ""), "base64").toString("base64url");
  const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  const said = Buffer.from(`${id}.${at}.${body}`);
  return signature
    .split(" ")
    .some((one) => one.startsWith("v1a,") && verify(null, said, publicKey, Buffer.from(one.slice(4), "base64")));
}

/** In their order. */
export async function readInbox(folder: string): Promise<InboxMessage[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^\d+\.json$/.test(name));
  const messages = await Promise.all(
    names.map(async (name) => JSON.parse(await readFile(path.join(folder, name), "utf8")) as InboxMessage),
  );
  return messages.toSorted((a, b) => a.number - b.number);
}

/**
 * Sends a message again, byte for byte. With a secret it is signed anew, as of now, as a sender does that tries again;
 * else it has the signature that it came with, which receivers refuse after five minutes. @returns the status; 0: nobody
 * answered
 */
export async function sendAgain(message: InboxMessage, to: string, secret: string | null): Promise<number> {
  const kept = passedHeaders.flatMap((name) => {
    const value = message.headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const headers = new Headers(kept.map(([name, value]) => [name, value]));
  const id = message.headers["webhook-id"];
  if (secret?.startsWith("whsec_") && id !== undefined) {
    const now = new Date();
    headers.set("webhook-timestamp", String(Math.floor(now.getTime() / 1000)));
    headers.set("webhook-signature", new Webhook(secret).sign(id, now, message.body));
  }
  try {
    const signal = AbortSignal.timeout(forwardWithinMs);
    const answer = await fetch(to, { method: "POST", headers, body: message.body, redirect: "manual", signal });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

export async function openInbox(options: InboxOptions): Promise<Inbox> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const messages = await readInbox(options.folder);
  const server = createServer((request, response) => {
    answer(request, response, messages, options).catch(() => response.destroy());
  });
  await new Promise<void>((listening, failed) =>
    server.once("error", failed).listen(options.port, "127.0.0.1", listening),
  );
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => close(server) };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  messages: InboxMessage[],
  options: InboxOptions,
): Promise<void> {
  // Pages of strangers in the developer's browser reach this address too, by names of their own.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? "")) return end(response, 421);
  const [, action, place = ""] = /^\/(messages|again)\/(\d+)$/.exec(request.url ?? "") ?? [];
  const wanted = messages.find(({ number }) => number === Number(place));
  if (request.method === "GET") {
    if (request.url === "/") return page(response, inboxPage(messages, options.forwardTo));
    return action === "messages" && wanted
      ? page(response, messagePage(wanted, options.forwardTo))
      : end(response, 404);
  }
  if (request.method !== "POST") return end(response, 405);
  if (action === undefined) return await take(request, response, messages, options);
  const isOwnPage =
    request.headers["sec-fetch-site"] === undefined || request.headers["sec-fetch-site"] === "same-origin";
  if (action !== "again" || !wanted || options.forwardTo === null || !isOwnPage) return end(response, 404);
  const status = await sendAgain(wanted, options.forwardTo, options.key);
  page(response, messagePage(wanted, options.forwardTo, status));
}

/** At any address: a receiver's path is its developer's choice. */
async function take(
  request: IncomingMessage,
  response: ServerResponse,
  messages: InboxMessage[],
  { folder, key, token, forwardTo, report }: InboxOptions,
): Promise<void> {
  const bytes = await readBody(request);
  if (bytes === null) return end(response, 413);
  const { authorization = "", ...others } = request.headers;
  const headers = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, String(value)]));
  const body = bytes.toString("utf8");
  const verdict = verdictOf(key, headers, body);
  const received = { number: (messages.at(-1)?.number ?? 0) + 1, receivedAt: new Date().toISOString(), headers, body };
  const message: InboxMessage = { ...received, verdict, answered: 0 };
  messages.push(message);
  message.answered =
    token !== null && authorization !== `Bearer ${token}`
      ? 401
      : verdict !== "verified" && verdict !== "not checked"
        ? 400
        : forwardTo === null
          ? 202
          : (await sendAgain(message, forwardTo, null)) || 502;
  await writeSmallFile(path.join(folder, `${message.number}.json`), `${JSON.stringify(message, null, 2)}\n`);
  report(message);
  end(response, message.answered);
}

/** Null: it is too long to be a notification. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > bodyBytesMax) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function page(response: ServerResponse, html: string): void {
  response
    .writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": inboxPolicy,
      "cache-control": "no-store",
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
    })
    .end(html);
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((closed) => server.close(() => closed()));
}
