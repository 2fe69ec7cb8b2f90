/** Who takes gzip (RFC 9110, 12.5.3). */
import test from "ava";
import { takesGzip } from "../../src/api/negotiation.ts";

for (const [header, isTaken] of [
  ["gzip", true],
  ["gzip, deflate", true],
  ["gzip,deflate,br", true],
  ["gzip, deflate, br, zstd", true],
  ["GZIP", true],
  ["br;q=1.0, gzip;q=0.8, *;q=0.1", true],
  ["*", true],
  [undefined, false],
  ["", false],
  ["identity", false],
  ["br", false],
  ["gzip;q=0", false],
  ["gzip, gzip;q=0", false],
  ["gzip, deflate, br;q=0, gzip;q=0", false],
  ["*;q=0", false],
  ["gzipped", false],
] as const)
  test(`${header ?? "no header"}: ${isTaken ? "gzip" : "plain"}`, (t) => {
    t.is(takesGzip(header), isTaken);
  });
