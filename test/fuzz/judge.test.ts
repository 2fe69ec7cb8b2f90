/** The judges of the fuzz suite let ordinary answers pass and notice each kind that must not be. */
import test from "ava";
import type { Answer } from "./http.ts";
import { fingerprintOf, isBusy, problemOfAny, problemOfBatch, problemOfPage } from "./judge.ts";
import { problemOfReplies, splitReplies } from "./replies.ts";

const secrets = ["HERON"];

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { "x-correlation-id": "c-1", ...headers },
    body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
    ms: 1,
  };
}

const undecipherable = { codes: ["DECRYPTION_ERROR"], mayBeTaken: false };

test("an ordinary answer and an ordinary refusal are no problem", (t) => {
  t.is(problemOfAny(answer(200, { services: [] }), secrets), null);
  t.is(problemOfAny(answer(404, { code: "ROUTE_UNKNOWN" }), secrets), null);
  t.is(problemOfAny(answer(405, ""), secrets), null);
});

test("noticed: failures, secrets, insides, refusals in no form, answers without an id", (t) => {
  t.is(problemOfAny(answer(500, { code: "INTERNAL" }), secrets), "answered with 500");
  t.is(problemOfAny(answer(503, { code: "BUSY" }), secrets), "answered with 503");
  t.regex(problemOfAny(answer(200, { name: "HERON SECRET" }), secrets) ?? "", /belongs to another/);
  for (const told of [
    "x\n    at open (file.ts:3:1)",
    "in node_modules/pg",
    "/src/api/app.ts",
    "select id from users",
    "SQLSTATE 22P02",
  ])
    t.regex(problemOfAny(answer(400, told), secrets) ?? "", /inside/);
  t.is(problemOfAny(answer(400, "no"), secrets), "a refusal that is no JSON");
  t.is(problemOfAny({ ...answer(200, {}), headers: {} }, secrets), "an answer without a correlation id");
});

const html = { "content-type": "text/html; charset=utf-8", "content-security-policy": "default-src 'none'" };
const mayGoTo = (address: string) => address === "https://bank.example/app";

test("a page, a page that refuses and a redirect to where it may lead are no problem", (t) => {
  t.is(
    problemOfPage(
      answer(
        200,
        `<style>a > b { color: red; }</style><form action="/psd2/x"><input value="&lt;svg onload=alert(1)> href=//x"></form>`,
        html,
      ),
      mayGoTo,
    ),
    null,
  );
  t.is(problemOfAny(answer(410, "<h1>Gone</h1>", html), secrets, true), null);
  t.is(problemOfPage(answer(303, "", { location: "https://bank.example/app" }), mayGoTo), null);
});

test("noticed: redirects elsewhere, cookies, pages without a policy or with anything active, and pages where none may be", (t) => {
  for (const location of ["https://evil.example/", ""])
    t.is(problemOfPage(answer(303, "", { location }), mayGoTo), `a redirect to ${location}`);
  t.is(problemOfPage(answer(200, "", { ...html, "set-cookie": "a=b" }), mayGoTo), "an answer with a cookie");
  t.is(problemOfPage(answer(200, "<p>", { "content-type": "text/html" }), mayGoTo), "a page without a policy");
  for (const tag of [
    "<script>",
    "<svg onload=alert(1)>",
    '<input value="" onfocus=x>',
    '<a href="javascript:alert(1)">',
    '<form action="//evil.example/">',
    '<form action="https://evil.example/">',
  ]) {
    t.regex(problemOfPage(answer(200, `<p>${tag}</p>`, html), mayGoTo) ?? "", /^a page with </, tag);
  }
  t.is(problemOfAny(answer(410, "<h1>Gone</h1>", html), secrets), "a refusal that is no JSON");
});

test("busy is an answer only with the time to come again", (t) => {
  t.true(isBusy(answer(503, { code: "BUSY" }, { "retry-after": "5" })));
  t.false(isBusy(answer(503, { code: "BUSY" })));
  t.false(isBusy(answer(503, { code: "OTHER" }, { "retry-after": "5" })));
});

test("noticed: a broken batch that is taken, refused for another reason, or answered with another status", (t) => {
  t.is(problemOfBatch(answer(400, { errorCode: "DECRYPTION_ERROR" }), undecipherable), null);
  t.is(problemOfBatch(answer(413, { errorCode: "UNKNOWN_ERROR" }), undecipherable), null);
  t.regex(problemOfBatch(answer(201, ""), undecipherable) ?? "", /was taken/);
  t.is(problemOfBatch(answer(201, ""), { ...undecipherable, mayBeTaken: true }), null);
  t.regex(problemOfBatch(answer(400, { errorCode: "TX_DATA_ERROR" }), undecipherable) ?? "", /TX_DATA_ERROR/);
  t.regex(problemOfBatch(answer(404, {}), undecipherable) ?? "", /404/);
});

test("two answers are one when only their correlation ids and times differ", (t) => {
  const one = answer(400, { errorCode: "DECRYPTION_ERROR", message: "no", at: "c-1" }, { date: "Mon" });
  const same: Answer = {
    ...answer(400, { errorCode: "DECRYPTION_ERROR", message: "no", at: "c-2" }, { date: "Tue" }),
    headers: { "x-correlation-id": "c-2", date: "Tue" },
  };
  t.is(fingerprintOf(one), fingerprintOf(same));
  t.not(fingerprintOf(one), fingerprintOf(answer(400, { errorCode: "DECRYPTION_ERROR", message: "No", at: "c-1" })));
  t.not(fingerprintOf(one), fingerprintOf({ ...one, status: 401 }));
  t.not(fingerprintOf(one), fingerprintOf({ ...one, headers: { ...one.headers, "x-padding": "wrong" } }));
});

function packet(...bytes: number[]): Buffer {
  return Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), Buffer.from(bytes)]);
}

const hello = packet(2, 0, 0, 0, 3);
const statusOf = (id: number, code: number) => packet(101, 0, 0, 0, id, 0, 0, 0, code);

test("replies are told apart packet by packet, a cut one is left out", (t) => {
  const replies = splitReplies(Buffer.concat([hello, statusOf(1, 4), statusOf(2, 0).subarray(0, 7)]));
  t.like(replies, { length: 2, 1: { type: 101, id: 1, status: 4 } });
});

test("noticed: replies to nothing, twice, before the greeting, or with what belongs to another", (t) => {
  const of = (...packets: Buffer[]) => problemOfReplies(splitReplies(Buffer.concat(packets)), [1, 2], secrets);
  t.is(of(hello, statusOf(2, 4), statusOf(1, 0)), null);
  t.regex(of(hello, statusOf(3, 4)) ?? "", /not asked/);
  t.regex(of(hello, statusOf(1, 4), statusOf(1, 4)) ?? "", /twice/);
  t.regex(of(statusOf(1, 4)) ?? "", /first packet/);
  t.regex(of(hello, packet(103, 0, 0, 0, 1, ...Buffer.from("HERON"))) ?? "", /belongs to another/);
});
