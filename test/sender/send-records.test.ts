/** Records arrive sealed under repeatable request ids; busy services are tried again, and refusals stop at once. */
import test from "ava";
import { sendRecords, type SendOptions } from "../../src/sender/send-records.ts";
import { openHttpsDoor } from "../../src/sender/https-door.ts";
import { sendUsers } from "../../src/sender/users.ts";
import { openPartnerService, type PartnerService } from "./partner-service.ts";
import { purchases } from "./records.ts";

const later = { status: 503, headers: { "retry-after": "0" } };

function send(service: PartnerService, more: Partial<SendOptions> = {}) {
  return sendRecords({
    records: purchases(1000),
    credentials: service.credentials,
    via: "https",
    complete: false,
    ...more,
  });
}

test("records arrive encrypted, in batches, under the request id as correlation id", async (t) => {
  const service = await openPartnerService(t);
  const summary = await send(service, { complete: true, createUsers: { brand: "bank-dk", locale: "da-DK" } });
  t.like(summary, {
    outcome: "complete",
    recordsSent: 1000,
    markersSent: 2,
    batchesSent: 2,
    usersCreated: 2,
    receipt: null,
  });
  t.deepEqual(service.batches.flatMap((batch) => batch.records).slice(0, 1000), purchases(1000));
  t.true(service.batches.every((batch) => batch.requestId === batch.correlationId));
  t.deepEqual(service.users, [
    { bankUserId: "anna", brand: "bank-dk", locale: "da-DK" },
    { bankUserId: "bo", brand: "bank-dk", locale: "da-DK" },
  ]);
});

test("the same records sent again carry the same request ids", async (t) => {
  const service = await openPartnerService(t);
  await send(service);
  await send(service);
  const ids = service.batches.map((batch) => batch.requestId);
  t.is(ids.length, 4);
  t.is(new Set(ids).size, 2);
});

test("a busy service and a broken connection are tried again", async (t) => {
  const service = await openPartnerService(t);
  service.replies.push(later, "cut the connection", later);
  const summary = await send(service);
  t.like(summary, { outcome: "complete", recordsSent: 1000, retries: 3 });
  t.is(service.batches.length, 2);
});

test("400 stops at once and shows what is wrong", async (t) => {
  const service = await openPartnerService(t);
  const details = [{ index: 2, field: "tx.currency", reason: "is not an ISO 4217 code" }];
  service.replies.push({ status: 400, body: JSON.stringify({ errorCode: "TX_DATA_ERROR", message: "No.", details }) });
  const summary = await send(service, { records: purchases(10) });
  t.is(summary.outcome, "refused");
  t.like(summary.refusal, { status: 400, errorCode: "TX_DATA_ERROR", message: "No.", recordsBefore: 0 });
  t.deepEqual(summary.refusal?.details, details);
  t.deepEqual(service.batches, []);
});

test("a partner that the service does not know is a fault", async (t) => {
  const service = await openPartnerService(t);
  service.replies.push({ status: 404, body: JSON.stringify({ title: "There is no such partner." }) });
  await t.throwsAsync(send(service, { records: purchases(1) }), {
    code: "SERVICE_REFUSED",
    message: /404.*no such partner/,
  });
});

test("a user that cannot be created is a fault that names the place", async (t) => {
  const service = await openPartnerService(t);
  service.replies.push({
    status: 400,
    body: JSON.stringify({ detail: "Wrong.", errors: [{ pointer: "/brand", message: "is unknown" }] }),
  });
  await t.throwsAsync(send(service, { createUsers: { brand: "x", locale: "da-DK" } }), {
    code: "SERVICE_REFUSED",
    message: /Wrong\. \/brand is unknown/,
  });
});

test("users are created, or found there already", async (t) => {
  const service = await openPartnerService(t);
  const door = await openHttpsDoor(service.credentials);
  const users = ["anna", "bo", "anna"].map((bankUserId) => ({ bankUserId, brand: "bank-dk", locale: "da-DK" }));
  t.deepEqual(await sendUsers(door, users), { usersCreated: 2, usersExisting: 1 });
  await door.close();
});

test("a certificate of another authority is not trusted", async (t) => {
  const service = await openPartnerService(t);
  const other = await openPartnerService(t);
  const credentials = { ...service.credentials, authority: other.credentials.authority };
  await t.throwsAsync(send(service, { credentials }), { code: "SERVICE_UNREACHABLE" });
});
