/** Parts of a call that are wrong: segments of a path, queries, media types, tokens, headers. */
import type { Operation } from "../api/operations.ts";
import type { Random } from "../faults/random.ts";
import { bytesOf, uuidOf } from "./sealing.ts";

/** In the form in which it goes into a path; some are not even that. */
export function junkSegment(random: Random): string {
  return random.pick([
    () => "",
    () => ".",
    () => "..",
    () => "%2e%2e",
    () => "..%2f..%2fetc%2fpasswd",
    () => "%00",
    () => "%",
    () => "%zz",
    () => "%c0%af",
    () => "%ff",
    () => "%ed%a0%80",
    () => "'%20or%20'1'='1",
    () => "%22%3B--",
    () => "x".repeat(random.between(60, 5000)),
    () => encodeURIComponent("💳 ø"),
    () => "null",
    () => "undefined",
    () => "-1",
    () => "0",
    () => "1e9",
    () => "NaN",
    () => "9".repeat(40),
    () => "__proto__",
    () => "constructor",
    () => `{${uuidOf(random)}}`,
    () => uuidOf(random).toUpperCase(),
    () => uuidOf(random).replaceAll("-", ""),
    () => `${uuidOf(random)}%0d%0aX-Injected:%201`,
    () => encodeURIComponent(bytesOf(random, 12).toString("latin1")),
    () => "a/b",
    () => ";x=1",
    () => "*",
  ])();
}

export function junkQuery(random: Random): string {
  const names = ["visibility", "from", "to", "limit", "id", "__proto__", "constructor[prototype]", "a[]", "%00", ""];
  const junk = [
    "",
    "VISIBLE",
    "visible",
    "HIDDEN",
    "2026-02-30",
    "2026-01-01",
    "0001-01-01",
    "99999-01-01",
    "-1",
    "0",
    "1e3",
    "10001",
    "999999999999999999999",
    "NaN",
    "true",
    "[]",
    "%00",
    "%ff",
    "'",
    "x".repeat(3000),
    "1%20or%201=1",
  ];
  return Array.from({ length: random.between(1, 4) }, () => `${random.pick(names)}=${random.pick(junk)}`).join("&");
}

/** Media types that are no JSON, or none at all. */
export const mediaTypes = [
  "text/plain",
  "application/xml",
  "application/json; charset=utf-16",
  "application/JSON",
  "application/problem+json",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "",
  "x",
  "application/json;;;",
  `application/${"x".repeat(2000)}`,
];

/** The caller's own token, or one that must not count. */
export function tokenOf(random: Random, { needsToken }: Operation, own: string, foreign: string): string | null {
  const share = random.share();
  if (!needsToken && share < 0.8) return null;
  if (share < 0.78) return `Bearer ${own}`;
  return random.pick<() => string | null>([
    () => null,
    () => own,
    () => `Bearer ${foreign}`,
    () => `Basic ${own}`,
    () => "Bearer",
    () => `Bearer ${own.slice(0, random.between(1, own.length - 1))}`,
    () => `Bearer ${own}x`,
    () => {
      const at = random.between(0, own.length - 1);
      return `Bearer ${own.slice(0, at)}${own[at] === "A" ? "B" : "A"}${own.slice(at + 1)}`;
    },
    () => `Bearer ${Buffer.from('{"alg":"none"}').toString("base64url")}.${own.split(".")[1]}.`,
    () => `Bearer ${"x".repeat(6000)}`,
    () => `Bearer ${own} ${foreign}`,
  ])();
}

export function oddHeaders(random: Random): Record<string, string> {
  return random.pick([
    () => ({
      accept: random.pick([
        "text/html",
        "application/pdf",
        "*/*;q=0",
        "application/json;q=0.1",
        "a".repeat(3000),
        ",,,",
        "application/octet-stream",
      ]),
    }),
    () => ({
      "x-correlation-id": random.pick(["x".repeat(4000), "\t", "a\u0085b", "%0d%0a", "'; --", "\u00ff\u00fe", "{}"]),
    }),
    () => ({
      traceparent: random.pick([
        "00-0-0-00",
        `00-${"0".repeat(32)}-${"0".repeat(16)}-01`,
        `ff-${"a".repeat(32)}-${"b".repeat(16)}-00`,
        "x".repeat(600),
      ]),
    }),
    () => ({ "x-forwarded-for": random.pick(["10.0.0.1", "::1", "x", "1".repeat(500)]), forwarded: "for=10.0.0.1" }),
    () => ({ range: random.pick(["bytes=0-1", "bytes=-1", "bytes=9-1,1-9"]) }),
    () => ({ "if-none-match": random.pick(["*", 'W/"x"']) }),
    () => ({ "if-modified-since": "yesterday" }),
    () => ({ "x-http-method-override": random.pick(["DELETE", "PUT"]) }),
    () => ({ "accept-encoding": random.pick(["gzip", "br;q=0", "x".repeat(1000)]) }),
    () => ({ "content-encoding": random.pick(["gzip", "br", "identity", "x"]) }),
    () => ({ cookie: `a=${"b".repeat(random.between(1, 12_000))}` }),
    () => ({ host: random.pick(["evil.example", "localhost:1", "[::1]", "a".repeat(300)]) }),
    () => ({ origin: "https://evil.example", "access-control-request-method": "DELETE" }),
    () => ({ "client-cert": ":AAAA:", "x-client-cert": "x" }),
    () => ({ expect: "100-continue" }),
    () => ({ upgrade: "h2c", connection: "upgrade" }),
    () => ({ "idempotency-key": "x".repeat(500) }),
  ])();
}
