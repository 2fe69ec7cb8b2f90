/**
 * An HTTP call to an address that an operator typed in: it must not become a way into our own network (SSRF). The
 * address is judged where the connection is made, so a name that resolves otherwise a moment later gains nothing;
 * redirects are not followed; time and size are bounded.
 *
 * Weighed against undici's Agent, which takes a lookup, a time to connect and a bound on the answer too: `call` would be
 * ten lines shorter. The judging of addresses, the bound on the whole time and the answer of which only the status is
 * asked would stay ours, its error codes would have to be translated, and 2.7 MB would come beside what Node has.
 */
import { lookup as resolve, type LookupAddress } from "node:dns";
import { type IncomingHttpHeaders, type RequestOptions, request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { firstOf } from "../present.ts";

export type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

export type Guard = {
  /** For receivers inside the operator's own network, and sandboxes; only then is plain http taken. */
  allowsPrivateAddresses: boolean;
  /** PEM; undefined: the public authorities. */
  authority: string | undefined;
  clientCertificate: { cert: string; key: string } | undefined;
};

const connectTimeoutMs = 5_000;
const totalTimeoutMs = 15_000;
/** Of most answers nothing is needed but their status, and of a token's some hundred bytes. */
const answerBytesMaxDefault = 64 * 1024;

export type Call = {
  method: "GET" | "POST" | "DELETE";
  url: URL;
  headers: Readonly<Record<string, string>>;
  /** Undefined: none. */
  body?: string | Buffer;
  answerBytesMax?: number;
  /**
   * Whether its status is all that is asked of an answer: then one that is too large is cut where that shows, and is no
   * failure. Default: false.
   */
  needsStatusOnly?: boolean;
};

/** What the world does: no such host, refused, timed out, cut off, not allowed. `code` may be told and logged. */
export class RequestFailure extends Error {
  readonly code: string;

  constructor(code: string, cause?: unknown) {
    super(code, { cause });
    this.name = "RequestFailure";
    this.code = code;
  }
}

export function post(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer,
  guard: Guard,
): Promise<Answer> {
  return call({ method: "POST", url, headers, body }, guard);
}

/** @returns the answer whatever its status. @throws RequestFailure */
export function call(
  { method, url, headers, body, answerBytesMax = answerBytesMaxDefault, needsStatusOnly = false }: Call,
  guard: Guard,
): Promise<Answer> {
  const refused = refusalOf(url, guard);
  if (refused !== null) return Promise.reject(new RequestFailure(refused));
  const payload = body === undefined ? null : Buffer.from(body);
  const options: RequestOptions = {
    method,
    agent: false,
    headers: payload === null ? headers : { ...headers, "content-length": String(payload.length) },
    signal: AbortSignal.timeout(totalTimeoutMs),
    ...(guard.allowsPrivateAddresses ? {} : { lookup: publicLookup }),
  };
  const tls = {
    ...(guard.authority === undefined ? {} : { ca: guard.authority }),
    ...guard.clientCertificate,
    minVersion: "TLSv1.2" as const,
  };
  return new Promise((done, fail) => {
    const failed = (cause: unknown) =>
      fail(cause instanceof RequestFailure ? cause : new RequestFailure(codeOf(cause), cause));
    const request = url.protocol === "https:" ? tlsRequest(url, { ...options, ...tls }) : plainRequest(url, options);
    const connecting = setTimeout(() => request.destroy(new RequestFailure("CONNECT_TIMEOUT")), connectTimeoutMs);
    request.once("socket", (socket) =>
      socket.once(url.protocol === "https:" ? "secureConnect" : "connect", () => clearTimeout(connecting)),
    );
    request.once("close", () => clearTimeout(connecting));
    request.once("error", failed);
    request.once("response", (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes <= answerBytesMax) return;
        if (needsStatusOnly)
          done({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.alloc(0) });
        response.destroy(new RequestFailure("ANSWER_TOO_LARGE"));
      });
      response.once("error", failed);
      response.once("end", () =>
        done({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
      response.once("close", () => failed(new RequestFailure("CUT_OFF")));
    });
    request.end(payload ?? undefined);
  });
}

/** Null: may be called. A literal address is never looked up, so it is judged here. */
function refusalOf(url: URL, { allowsPrivateAddresses }: Guard): string | null {
  if (url.protocol !== "https:" && !(url.protocol === "http:" && allowsPrivateAddresses)) return "NOT_HTTPS";
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(host) !== 0 && !allowsPrivateAddresses && !isPublic(host) ? "ADDRESS_PRIVATE" : null;
}

/** As the system's, and fails when any address is not public: a name with both kinds is an attack or a mistake. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    if (error) return callback(error, "", 0);
    if (!found.every(({ address }) => isPublic(address))) return callback(new RequestFailure("ADDRESS_PRIVATE"), "", 0);
    const first = firstOf(found);
    if (options.all === true) callback(null, found);
    else callback(null, first.address, first.family);
  });
};

/**
 * Unicast of the public internet: no loopback, private, link-local, carrier-grade, multicast, reserved or mapped
 * address.
 */
export function isPublic(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast";
}

function codeOf(cause: unknown): string {
  if (cause instanceof Error && cause.name === "TimeoutError") return "TIMEOUT";
  const { code } = cause as NodeJS.ErrnoException;
  return code === "ABORT_ERR" ? "TIMEOUT" : (code ?? "FAILED");
}
