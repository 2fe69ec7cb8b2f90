/** A service is written when anything about it differs from what is stored, and only then. */
import { createHash } from "node:crypto";
import test from "ava";
import { changedServices } from "../../../src/recognition/services/unchanged.ts";
import type { ServiceRow } from "../../../src/recognition/store.ts";
import type { StoredService } from "../../../src/recognition/remembered.ts";

const row: ServiceRow = {
  id: "a",
  userId: 1,
  key: "OUT:GYM:x",
  txids: ["x", "y"],
  firstDetectedOn: "2026-01-01",
  newsAfter: null,
  hidden: null,
  status: "ACTIVE",
  paymentFrequency: "MONTHLY",
  isConfirmed: false,
  document: "{}",
};
const stored: StoredService = { ...row, digest: createHash("md5").update("{}").digest("hex"), cancellation: null };

test("a service that is stored as it was found is not written", (t) => {
  t.deepEqual(changedServices([row], [stored]), []);
});

test("whatever differs is written: document, payments, key, decision, status, frequency, and a new service", (t) => {
  const changes: Partial<ServiceRow>[] = [
    { document: '{"amount":1}' },
    { txids: ["x"] },
    { txids: ["x", "z"] },
    { key: "OUT:GYM:y" },
    { hidden: true },
    { newsAfter: "2026-05-01" },
    { status: "INACTIVE" },
    { paymentFrequency: "YEARLY" },
    { id: "b" },
  ];
  for (const change of changes)
    t.is(changedServices([{ ...row, ...change }], [stored]).length, 1, JSON.stringify(change));
});

test("a confirmation is written though nothing else differs, and so is a series that is no longer found, once", (t) => {
  t.is(changedServices([{ ...row, isConfirmed: true }], [stored]).length, 1);
  const lost = { ...row, status: null, paymentFrequency: null, document: null };
  t.is(changedServices([lost], [stored]).length, 1);
  t.is(changedServices([lost], [{ ...stored, status: null, paymentFrequency: null, digest: null }]).length, 0);
});
