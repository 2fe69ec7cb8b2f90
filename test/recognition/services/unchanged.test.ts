/** A service, or the lists, are written when anything about them differs from what is stored, and only then. */
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import test from "ava";
import { unpack } from "../../../src/interface/packed.ts";
import { present } from "../../../src/present.ts";
import { changedLists, changedServices } from "../../../src/recognition/services/unchanged.ts";
import type { ReadModelRow, ServiceRow } from "../../../src/recognition/store.ts";
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

const readModel: ReadModelRow = {
  userId: 1,
  servicesVisible: '{"services":[{"title":"Høj Æble €"}]}',
  servicesHidden: '{"services":[]}',
  upcoming: '[{"title":"Å"}]',
  importComplete: true,
  computedFor: "2026-01-01",
  lacksRates: false,
  thresholds: null,
  holdsUntil: null,
};

test("lists are taken apart where their bytes end, under the digest of all of them", (t) => {
  const lists = present(changedLists(readModel, null), "lists");
  t.is(gunzipSync(lists.visiblePacked).toString(), readModel.servicesVisible);
  t.is(lists.hidden.toString(), readModel.servicesHidden);
  t.is(lists.upcoming.toString(), readModel.upcoming);
  const all = readModel.servicesVisible + readModel.servicesHidden + readModel.upcoming;
  t.is(lists.digest, createHash("md5").update(all).digest("hex"));
  t.is(changedLists(readModel, lists.digest), null);
});

test("packed lists are gzip that every reader unpacks, in the small window, at its end and beyond it", (t) => {
  for (const length of [100, 16_122, 16_123, 40_000]) {
    // No two stretches alike, and the last letters a return of the first ones.
    const text = `${Array.from({ length }, (_, at) => String.fromCodePoint(33 + ((at * at * 7) % 89))).join("")}first`;
    const { visiblePacked } = present(changedLists({ ...readModel, servicesVisible: text }, null), "lists");
    t.is(gunzipSync(visiblePacked).toString(), text);
    t.is(unpack(visiblePacked).toString(), text);
  }
});
