/** The inbox keeps what comes byte for byte, tells whether it was signed, passes it on and sends it again. */
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import test, { type ExecutionContext } from "ava";
import type { InboxMessage } from "../../src/demo/inbox-message.ts";
import { type InboxOptions, openInbox, readInbox, sendAgain, verdictOf } from "../../src/demo/inbox.ts";
import { verificationKeyOf } from "../../src/notifications/receiver.ts";
import { signatureHeaders } from "../../src/notifications/signature.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const body = '{"notification":{"type":"NEW_PAYMENT","userId":"astrid","note":"<b>é</b>"}}';
const signed = (at = new Date(), said = body) =>
  signatureHeaders({ signing: "hmac", signingKey: secret }, "msg-1", at, said);

async function open(t: ExecutionContext, options: Partial<InboxOptions> = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-inbox-"));
  t.teardown(() => rm(folder, { recursive: true }));
  const reported: InboxMessage[] = [];
  const inbox = await openInbox({
    port: 0,
    folder,
    key: secret,
    token: null,
    forwardTo: null,
    report: (message) => void reported.push(message),
    ...options,
  });
  t.teardown(inbox.close);
  const post = async (headers: Record<string, string>, said = body, at = "/notifications") =>
    (await fetch(inbox.url + at, { method: "POST", headers, body: said })).status;
  return { inbox, folder: options.folder ?? folder, reported, post };
}

/** The program under development: it answers in turn, and remembers. */
async function openProgram(t: ExecutionContext, statuses: number[]) {
  const taken: { headers: Record<string, unknown>; body: string }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((said) => {
      taken.push({ headers: request.headers, body: said });
      response.writeHead(statuses.shift() ?? 200).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => server.close());
  return { taken, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

test("a signed message is taken, kept readable by its owner alone, and there again after a start", async (t) => {
  const { folder, post, reported } = await open(t);
  t.is(await post({ ...signed(), authorization: "Bearer quiet" }), 202);
  t.like(reported[0], { number: 1, verdict: "verified", answered: 202, body });
  const file = path.join(folder, "1.json");
  t.is((await stat(file)).mode & 0o777, 0o600);
  t.notRegex(await readFile(file, "utf8"), /quiet/);
  const later = await open(t, { folder });
  t.is(await later.post(signed()), 202);
  t.deepEqual(
    (await readInbox(folder)).map(({ number, body: kept }) => [number, kept]),
    [
      [1, body],
      [2, body],
    ],
  );
});

test("what is not signed by the key, or not lately, is kept and answered 400", async (t) => {
  const { post, reported } = await open(t);
  t.is(await post({}), 400);
  t.is(await post(signed(), body.replace("astrid", "bodil")), 400);
  t.is(await post(signed(new Date(Date.now() - 301_000))), 400);
  t.deepEqual(
    reported.map(({ verdict }) => verdict),
    ["not signed", "wrong signature", "too old"],
  );
});

test("a missing token is 401, a body that is no notification is taken as it is, one beyond all measure is not", async (t) => {
  const { post, reported } = await open(t, { token: "sandbox", key: null });
  t.is(await post({}), 401);
  t.is(await post({ authorization: "Bearer sandbox" }, "not JSON", "/my/own/path"), 202);
  t.like(reported[1], { body: "not JSON", verdict: "not checked" });
  t.is(await post({ authorization: "Bearer sandbox" }, "x".repeat(1024 * 1024 + 1)), 413);
});

test("Ed25519 signatures are checked, one among several counts, and another key's do not", (t) => {
  const pair = () => generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const [own, other] = [pair(), pair()];
  const by = (signingKey: string) => signatureHeaders({ signing: "ed25519", signingKey }, "m", new Date(), body);
  const key = verificationKeyOf("ed25519", own);
  t.is(verdictOf(key, by(own), body), "verified");
  t.is(verdictOf(key, by(other), body), "wrong signature");
  const both = `${by(other)["webhook-signature"]} ${by(own)["webhook-signature"]}`;
  t.is(verdictOf(key, { ...by(own), "webhook-signature": both }, body), "verified");
});

test("messages go on to the program under development byte for byte, and its answer comes back", async (t) => {
  const program = await openProgram(t, [204, 500]);
  const { post } = await open(t, { forwardTo: program.url });
  const headers = signed();
  t.is(await post(headers), 204);
  t.is(await post(headers), 500);
  t.like(program.taken[0], { body, headers });
  const { post: alone } = await open(t, { forwardTo: "http://127.0.0.1:1/" });
  t.is(await alone(headers), 502);
});

test("a kept message is sent again, with a secret signed as of now", async (t) => {
  const program = await openProgram(t, []);
  const old = {
    number: 1,
    receivedAt: "",
    headers: signed(new Date(0)),
    body,
    verdict: "verified",
    answered: 202,
  } as const;
  t.is(await sendAgain(old, program.url, null), 200);
  t.is(await sendAgain(old, program.url, secret), 200);
  const verdicts = program.taken.map(({ headers, body: said }) =>
    verdictOf(secret, headers as Record<string, string>, said),
  );
  t.deepEqual(verdicts, ["too old", "verified"]);
  t.is(await sendAgain(old, "http://127.0.0.1:1/", null), 0);
});

test("the pages show all messages as text and send one again, and only on their own request", async (t) => {
  const program = await openProgram(t, []);
  const { inbox, post } = await open(t, { forwardTo: program.url });
  await post(signed());
  const list = await fetch(`${inbox.url}/`);
  t.regex(list.headers.get("content-security-policy") ?? "", /^default-src 'none'; style-src 'sha256-/);
  t.regex(await list.text(), /NEW_PAYMENT.*verified.*200/s);
  const shown = await (await fetch(`${inbox.url}/messages/1`)).text();
  t.true(shown.includes("&lt;b&gt;é&lt;/b&gt;"));
  t.false(shown.includes("<b>"));
  t.is((await fetch(`${inbox.url}/messages/2`)).status, 404);
  const again = await fetch(`${inbox.url}/again/1`, { method: "POST" });
  t.regex(await again.text(), /Sent again: 200/);
  t.is(program.taken.length, 2);
  const foreign = { method: "POST", headers: { "sec-fetch-site": "cross-site" } };
  t.is((await fetch(`${inbox.url}/again/1`, foreign)).status, 404);
  const rebound = httpRequest(`${inbox.url}/`, { headers: { host: "attacker.example" } });
  rebound.end();
  const [answer] = (await once(rebound, "response")) as [{ statusCode: number; resume(): void }];
  answer.resume();
  t.is(answer.statusCode, 421);
  t.is(program.taken.length, 2);
});
