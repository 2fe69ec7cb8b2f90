/** What holds for a partner at the HTTPS door: `settings.https`, with the defaults for what it leaves out. */
import { type CertificateDemand, certificateDemands, serialOf } from "../keys/client-certificates.ts";
import { describe, readGroup } from "./described.ts";

/**
 * 200 a second. A partner that batches sends some a second at the most; one that loops must not take the others' turn.
 * Counted by each API process: a fleet of three lets three times as many through.
 */
export const requestsPerMinuteDefault = 12_000;
/** More than one machine answers. */
export const requestsPerMinuteMax = 1_000_000;

/** Whoever has more to revoke has a short-lived kind of certificate made, or another issuer. */
const serialsMax = 1000;

const httpsSettings = describe((Type) =>
  Type.Object({
    clientCertificate: Type.Optional(Type.Enum([...certificateDemands])),
    openToAll: Type.Optional(Type.Boolean()),
    requestsPerMinute: Type.Optional(Type.Integer({ minimum: 1, maximum: requestsPerMinuteMax })),
    revokedSerials: Type.Optional(Type.Array(Type.String({ pattern: "^[0-9a-f]{1,40}$" }), { maxItems: serialsMax })),
  }),
);

export type HttpsRules = {
  clientCertificate: CertificateDemand;
  /** Whether callers may come from anywhere, with nothing but what the interface asks of them. */
  openToAll: boolean;
  /** Of each class of routes. */
  requestsPerMinute: number;
  /** Certificates that count no more, whoever signed them: as `serialOf` writes them. */
  revokedSerials: readonly string[];
};

/** @throws Fault CONFIG_INVALID: a demand is never guessed, since a looser guess would let strangers in. */
export function readHttpsRules(partnerSettings: object): HttpsRules {
  const https = readGroup(partnerSettings, "https", httpsSettings);
  return {
    clientCertificate: https?.clientCertificate ?? "off",
    openToAll: https?.openToAll ?? false,
    requestsPerMinute: https?.requestsPerMinute ?? requestsPerMinuteDefault,
    revokedSerials: https?.revokedSerials ?? [],
  };
}

/** As OpenSSL and browsers print them, with or without colons. @throws Error whose message completes "must be …" */
export function parseSerials(text: string): string[] {
  const serials = text.split(",").map((one) => serialOf(one.trim().replaceAll(":", "")));
  // RFC 5280, 4.1.2.2: at most 20 bytes.
  if (serials.length > serialsMax || !serials.every((serial) => /^[0-9a-f]{1,40}$/.test(serial)))
    throw new Error(`serial numbers in hexadecimal, separated by commas, at most ${serialsMax}`);
  return [...new Set(serials)];
}
