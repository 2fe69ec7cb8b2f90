/** HTTP requests that are none, or whose framing lies. */
import type { Random } from "../faults/random.ts";
import { bytesOf } from "./sealing.ts";

export function brokenRequest(
  random: Random,
  { method, path, token, body }: { method: string; path: string; token: string; body: string },
): Buffer {
  const line = `${method} ${path} HTTP/1.1`;
  const host = "Host: localhost";
  const headers = [host, `Authorization: Bearer ${token}`, "Content-Type: application/json"];
  const request = (lines: readonly string[], content = "") =>
    Buffer.from(`${lines.join("\r\n")}\r\n\r\n${content}`, "latin1");
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return random.pick<() => Buffer>([
    () => bytesOf(random, random.between(1, 2000)),
    () => request([line, ...headers, "Connection: close", length], body.slice(0, Math.floor(body.length / 2))),
    () => request([line, ...headers, "Connection: close", "Content-Length: -1"], body),
    () => request([line, ...headers, "Connection: close", "Content-Length: 99999999999999999999"], body),
    () => request([line, ...headers, "Connection: close", length, "Content-Length: 1"], body),
    () =>
      request(
        [line, ...headers, "Connection: close", length, "Transfer-Encoding: chunked"],
        `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      ),
    () => request([line, ...headers, "Connection: close", "Transfer-Encoding: chunked"], `zz\r\n${body}\r\n0\r\n\r\n`),
    () => request([line, ...headers, "Connection: close", "Transfer-Encoding: chunked"], `ffffffffffffffff\r\n${body}`),
    () => request([line, ...headers, "Connection: close", "Transfer-Encoding: xchunked"], body),
    () =>
      request(
        [line, ...headers, "Connection: close", "Transfer-Encoding: chunked"],
        `${body.length.toString(16)};${"x".repeat(20_000)}\r\n${body}\r\n0\r\n\r\n`,
      ),
    () =>
      request([
        `${random.pick(["GE T", "get", "", "FOO", "\0", "CONNECT", "PRI", "SOURCE"])} ${path} HTTP/1.1`,
        ...headers,
        "Connection: close",
      ]),
    () =>
      request([
        `${method} ${path} HTTP/${random.pick(["0.9", "1.0", "2.0", "9.9", "1.1.1", "x"])}`,
        ...headers,
        "Connection: close",
      ]),
    () =>
      request([
        `${method} ${random.pick(["", "*", "//evil.example/", "http://evil.example/", "\\", `/${"a/".repeat(9000)}`, "/\x7f", "/ø", "/a b", "/#x", "?"])} HTTP/1.1`,
        ...headers,
        "Connection: close",
      ]),
    () => request([line, ...headers, `X-Long: ${"x".repeat(random.between(16_000, 90_000))}`, "Connection: close"]),
    () =>
      request([line, ...headers, ...Array.from({ length: 2500 }, (_, index) => `x${index}: y`), "Connection: close"]),
    () =>
      request([
        line,
        ...headers,
        random.pick(["no colon", ": empty", "a b: c", "x\0y: z", "x: a\0b", " folded: x", "\tx: y", "x : y", "ø: 1"]),
        "Connection: close",
      ]),
    () => request([line, "Connection: close"]),
    () => request([line, host, "Host: other", "Connection: close"]),
    () => Buffer.from(`${line}\n${headers.join("\n")}\nConnection: close\n\n`),
    () =>
      Buffer.concat(
        Array.from({ length: 5 }, () => request([line, ...headers, length], body)).concat(
          request(["GET /health/live HTTP/1.1", host, "Connection: close"]),
        ),
      ),
    () => request([line, ...headers, "Expect: 200-maybe", "Connection: close", length], body),
    () => request([line, ...headers, "Upgrade: websocket", "Connection: Upgrade, close", "Sec-WebSocket-Key: x"]),
    () => Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    () => Buffer.from("SSH-2.0-OpenSSH_9.2\r\n"),
  ])();
}
