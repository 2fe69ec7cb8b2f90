/** What our HTTPS servers speak, the API's and the console's: given when one opens, and again with each renewed certificate. */

import { constants } from "node:crypto";

/**
 * Each has forward secrecy and authenticates what it encrypts; the stronger come first, and the server's order counts.
 * Node's own list also takes CBC and, with an RSA certificate, keys that are sent instead of agreed on.
 */
const ciphers = [
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "TLS_AES_128_GCM_SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
].join(":");

export const servedTls = { minVersion: "TLSv1.2", ciphers, honorCipherOrder: true } as const;

/**
 * A session that is resumed remembers the caller's certificate without the intermediate ones that lead to its issuer, and
 * who came in by those would be refused: whoever is asked for a certificate shakes hands anew.
 */
export const servedTlsAsking = { ...servedTls, secureOptions: constants.SSL_OP_NO_TICKET } as const;
