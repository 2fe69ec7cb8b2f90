/** A partner's program through the client: what is repeated, what is waited for, and what an error says. */
import { generateKeyPairSync } from "node:crypto";
import test, { type ExecutionContext } from "ava";
import { decodeJwt, decodeProtectedHeader } from "jose";
import {
  AccessInvalid,
  BatchRefused,
  CallRefused,
  connect,
  type ConnectOptions,
  type Partner,
  StillNotReady,
  Unreachable,
} from "../../src/client/client.ts";
import { sendRecords } from "../../src/sender/send-records.ts";
import { openPartnerService, type PartnerService } from "../sender/partner-service.ts";
import { purchases } from "../sender/records.ts";

const loginKey = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({
  type: "pkcs8",
  format: "pem",
});

type World = { service: PartnerService; partner: Partner; pauses: number[] };

/** A service whose answers the test decides, and a client that waits in no time. */
async function openWorld(t: ExecutionContext, options: ConnectOptions = {}): Promise<World> {
  const service = await openPartnerService(t);
  const { partnerId, brand = "", baseUrl, authority } = service.credentials;
  const pauses: number[] = [];
  const pause = (ms: number) => Promise.resolve(void pauses.push(ms));
  const access = { partnerId, brand, baseUrl, authority, loginKey: String(loginKey) };
  const partner = await connect(access, { pause, ...options });
  t.teardown(() => partner.close());
  return { service, partner, pauses };
}

const json = (status: number, body: object, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: JSON.stringify(body),
});
const problem = (status: number, code: string, more: object = {}) =>
  json(status, {
    type: `/reference#${code}`,
    title: "No.",
    status,
    detail: "Do better.",
    code,
    correlationId: "c-1",
    ...more,
  });

test("a batch arrives as its records, at most 750 at a time, and each user's history is ended when asked", async (t) => {
  const { service, partner } = await openWorld(t);
  t.deepEqual(await partner.push(purchases(1500), { complete: true }), { records: 1502, batches: 3 });
  t.deepEqual(
    service.batches.map(({ records }) => records.length),
    [750, 750, 2],
  );
  t.like(service.batches[2]?.records[0], { type: "IMPORT_COMPLETED" });
  t.true(service.batches.every(({ requestId, correlationId }) => requestId === correlationId));
});

test("the product's sender sends the same batches under the same ids", async (t) => {
  const { service, partner } = await openWorld(t);
  await partner.push(purchases(1600), { complete: true });
  const pushed = service.batches.splice(0);
  t.is(pushed.length, 3);
  await sendRecords({ records: purchases(1600), credentials: service.credentials, via: "https", complete: true });
  const byId = (batches: PartnerService["batches"]) =>
    batches
      .toSorted((a, b) => (a.requestId < b.requestId ? -1 : 1))
      .map(({ requestId, records }) => ({ requestId, records }));
  t.deepEqual(byId(service.batches), byId(pushed));
});

test("a batch is sent again after a broken connection, a 502, and when 503 says when", async (t) => {
  const { service, partner, pauses } = await openWorld(t);
  service.replies.push("cut the connection", { status: 502 }, { status: 503, headers: { "retry-after": "7" } });
  t.deepEqual(await partner.push(purchases(2)), { records: 2, batches: 1 });
  t.is(service.batches.length, 1);
  t.is(partner.retries, 3);
  t.is(pauses[2], 7000);
});

test("a refused batch says which, where and why, and what arrived before it", async (t) => {
  const { service, partner } = await openWorld(t);
  const details = [{ index: 3, field: "tx.amount", reason: "is not a number" }];
  service.replies.push({ status: 201 }, json(400, { errorCode: "TX_DATA_ERROR", message: "Broken.", details }));
  const error = await t.throwsAsync(partner.push(purchases(800)), { instanceOf: BatchRefused });
  t.is(error.code, "TX_DATA_ERROR");
  t.is(error.recordsBefore, 750);
  t.deepEqual(error.details, details);
  t.is(error.message, "Broken. record 753: tx.amount is not a number");
});

test("a user who is there already is no error, and one who is refused says why", async (t) => {
  const { service, partner } = await openWorld(t);
  const user = { bankUserId: "anna", locale: "da-DK" };
  t.is(await partner.createUser(user), "created");
  service.replies.push(problem(409, "USER_EXISTS"));
  t.is(await partner.createUser(user), "existing");
  t.deepEqual(service.users, [{ brand: "bank-dk", ...user }]);
  service.replies.push(problem(400, "REQUEST_INVALID", { errors: [{ pointer: "/locale", message: "is no locale" }] }));
  const error = await t.throwsAsync(partner.createUser(user), { instanceOf: CallRefused });
  t.like(error, { code: "REQUEST_INVALID", status: 400, correlationId: "c-1" });
  t.is(error.message, "createUser was answered with 400: No. Do better. /locale is no locale");
});

test("a login is signed for one use and repeated with a fresh one; services are waited for", async (t) => {
  const { service, partner, pauses } = await openWorld(t);
  service.replies.push({ status: 503, headers: { "retry-after": "1" } }, json(200, { token: "token-1" }));
  const anna = await partner.logIn("anna", { actor: "adviser-7" });
  const payloads = service.requests
    .filter(({ path }) => path.endsWith("/users/logins"))
    .map(({ body }) => (JSON.parse(body) as { payload: string }).payload);
  t.is(new Set(payloads.map((payload) => decodeJwt(payload).jti)).size, 2);
  t.like(decodeJwt(payloads[0] ?? ""), { sub: "anna", brand: "bank-dk", act: { sub: "adviser-7" } });
  t.is(decodeProtectedHeader(payloads[0] ?? "").alg, "RS256");

  pauses.length = 0;
  const services = { averageTotalAmount: 0, services: [] };
  service.replies.push({ status: 202, headers: { "retry-after": "2" } }, json(200, services));
  t.deepEqual(await anna.listServices({ visibility: "HIDDEN" }), services);
  t.deepEqual(pauses, [2000]);
  t.like(service.requests.at(-1), {
    path: "/partner/bank/2.0.0/services?visibility=HIDDEN",
    authorization: "Bearer token-1",
  });
});

test("an ended token is renewed once, and a second refusal is the caller's", async (t) => {
  const { service, partner } = await openWorld(t);
  service.replies.push(json(200, { token: "token-1" }));
  const anna = await partner.logIn("anna");
  service.replies.push(problem(401, "TOKEN_INVALID"), json(200, { token: "token-2" }), json(200, []));
  t.deepEqual(await anna.listUpcomingPayments(), []);
  t.is(anna.token, "token-2");
  service.replies.push(problem(401, "TOKEN_INVALID"), json(200, { token: "token-3" }), problem(401, "TOKEN_INVALID"));
  await t.throwsAsync(anna.listUpcomingPayments(), { instanceOf: CallRefused, code: "TOKEN_INVALID" });
});

test("a call that may not come twice is not repeated after a broken connection", async (t) => {
  const { service, partner } = await openWorld(t);
  service.replies.push(json(200, { token: "token-1" }));
  const anna = await partner.logIn("anna");
  service.replies.push("cut the connection");
  await t.throwsAsync(anna.createBudget(), { instanceOf: Unreachable });
  service.replies.push({ status: 503, headers: { "retry-after": "1" } }, json(200, { id: "b-1" }));
  t.deepEqual(await anna.createBudget(), { id: "b-1" });
  service.replies.push(problem(503, "CROWDSOURCING_DISABLED"));
  await t.throwsAsync(anna.submitCrowdsourcing({ body: { id: "t-1" } }), { code: "CROWDSOURCING_DISABLED" });
});

test("waiting and repeating have an end, and so has an abort", async (t) => {
  const { service, partner } = await openWorld(t, { attemptsMax: 2, readyWithinMs: 1000 });
  service.replies.push(json(200, { token: "token-1" }));
  const anna = await partner.logIn("anna");
  service.replies.push({ status: 202, headers: { "retry-after": "60" } });
  await t.throwsAsync(anna.listServices(), { instanceOf: StillNotReady });
  service.replies.push({ status: 503 }, { status: 503 });
  await t.throwsAsync(anna.listServices(), { instanceOf: Unreachable, message: /status 503/ });
  await t.throwsAsync(anna.listServices({}, { signal: AbortSignal.abort() }), { name: "AbortError" });
});

test("what the folder lacks is named", async (t) => {
  await t.throwsAsync(connect("/nowhere"), { instanceOf: AccessInvalid, message: /no partner\.json in \/nowhere/ });
  const { partner } = await openWorld(t);
  await t.throwsAsync(partner.receipt("a.jsonl"), { instanceOf: AccessInvalid, message: /sftp_key and known_hosts/ });
});
