/** What our HTTPS servers speak, the API's and the console's: given when one opens, and again with each renewed certificate. */

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
