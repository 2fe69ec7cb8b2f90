/** Which certificate a caller showed: in the TLS handshake, or to a trusted proxy that passes it on (RFC 9440). */
import { X509Certificate } from "node:crypto";
import type { DetailedPeerCertificate, TLSSocket } from "node:tls";
import type { FastifyRequest } from "fastify";
import { chainLengthMax, type ShownCertificates } from "../partners/keys/client-certificates.ts";

/** A chain of four certificates with RSA keys of 4096 bits, in base64. */
const headerLengthMax = 16 * 1024;

/** @param isProxy whether an address is a proxy whose word is taken; a stranger's headers say nothing */
export function shownCertificates(request: FastifyRequest, isProxy: (address: string) => boolean): ShownCertificates {
  const socket = request.socket as TLSSocket;
  if (isProxy(socket.remoteAddress ?? "")) return fromHeaders(request);
  const shown = shownOf.get(socket) ?? fromHandshake(socket);
  shownOf.set(socket, shown);
  return shown;
}

/** A handshake is read once, not with every call on its connection. */
const shownOf = new WeakMap<TLSSocket, ShownCertificates>();

function fromHandshake(socket: TLSSocket): ShownCertificates {
  const chain: X509Certificate[] = [];
  let next: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  // A root is its own issuer.
  while (
    next?.raw !== undefined &&
    chain.length < chainLengthMax &&
    chain.at(-1)?.fingerprint256 !== next.fingerprint256
  ) {
    chain.push(new X509Certificate(next.raw));
    next = next.issuerCertificate;
  }
  return chain;
}

/** Byte sequences of RFC 8941: `:base64:`, several separated by commas. What cannot be read counts as not shown. */
function fromHeaders({ headers }: FastifyRequest): ShownCertificates {
  const texts = [headers["client-cert"], headers["client-cert-chain"]]
    .filter((text) => typeof text === "string")
    .join(",");
  if (headers["client-cert"] === undefined || texts.length > headerLengthMax) return [];
  try {
    return texts.split(",").slice(0, chainLengthMax).map(readByteSequence);
  } catch {
    return [];
  }
}

function readByteSequence(text: string): X509Certificate {
  const [, base64 = ""] = /^\s*:([A-Za-z0-9+/=]+):\s*$/.exec(text) ?? [];
  return new X509Certificate(Buffer.from(base64, "base64"));
}
