/**
 * A pushed request is kept once, durably, for its partner alone, and refused busy before a full staging area takes it.
 */
import { randomUUID } from "node:crypto";
import test from "ava";
import { acceptFile, acceptRequest, type PushedRequest } from "../../src/landing/accept.ts";
import { findDelivery } from "../../src/deliveries/deliveries.ts";
import { traceWith } from "../../src/traces.ts";
import { addDelivery, addPartner } from "../parties.ts";
import { digest, landed, openLanding } from "./world.ts";

test("an accepted request is durable with its body, and queued", async (t) => {
  const { landing, queued } = await openLanding(t);
  const request = pushed();
  const acceptance = await acceptRequest(landing, request);
  if (acceptance.outcome !== "accepted") return t.fail(acceptance.outcome);
  t.deepEqual(queued, [acceptance.deliveryId]);
  const delivery = await findDelivery(landing.database, acceptance.deliveryId);
  t.like(delivery, {
    state: "accepted",
    door: "https",
    format: "request",
    requestId: request.requestId,
    correlationId: "c-1",
  });
  const { rows } = await landing.database.query(
    "select body, traceparent from delivery_bodies join deliveries on deliveries.id = delivery_id where delivery_id = $1",
    [acceptance.deliveryId],
  );
  t.deepEqual(rows, [{ body: request.body, traceparent: null }]);
});

test("the trace of the call stays with the request", async (t) => {
  const { landing } = await openLanding(t);
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const acceptance = await acceptRequest(landing, pushed({ traceparent }));
  const { rows } = await landing.database.query("select traceparent from deliveries");
  t.is(acceptance.outcome, "accepted");
  t.deepEqual(rows, [{ traceparent }]);
});

test.serial(
  "where traces are made, what follows an acceptance follows its span, of a file as of a request",
  async (t) => {
    const { landing, folder } = await openLanding(t);
    const asked: [string | null, unknown][] = [];
    const span = "00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01";
    traceWith({
      begin: (name, { parent }) => ({
        traceparent: span,
        end: (ended) => asked.push([parent, [name, ended?.attributes, ended?.failure]]),
      }),
    });
    t.teardown(() => traceWith(null));
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    await acceptRequest(landing, pushed({ traceparent }));
    await acceptFile(landing, await landed(folder, "day.jsonl", "some lines"));
    const { rows } = await landing.database.query("select door, traceparent from deliveries order by position");
    t.deepEqual(rows, [
      { door: "https", traceparent: span },
      { door: "sftp", traceparent: span },
    ]);
    const accepted = { "tideline.accept.outcome": "accepted" };
    t.deepEqual(asked, [
      [traceparent, ["accept", accepted, undefined]],
      [null, ["accept", accepted, undefined]],
    ]);
  },
);

test("a request that names users whom the partner does not have is not kept", async (t) => {
  const { landing, queued } = await openLanding(t);
  t.deepEqual(await acceptRequest(landing, pushed({ uids: ["nobody"] })), {
    outcome: "unknownUsers",
    uids: ["nobody"],
  });
  t.deepEqual(queued, []);
  t.is((await acceptRequest(landing, pushed())).outcome, "accepted");
});

test("the same reqId with the same content is repeated, whatever its encryption", async (t) => {
  const { landing, queued } = await openLanding(t);
  const first = await acceptRequest(landing, pushed());
  const again = await acceptRequest(landing, pushed({ body: Buffer.from("encrypted afresh") }));
  t.is(first.outcome, "accepted");
  t.deepEqual(again, { ...first, outcome: "repeated" });
  t.is(queued.length, 1);
});

test("the same reqId with other content is a conflict and leaves nothing", async (t) => {
  const { landing } = await openLanding(t);
  await acceptRequest(landing, pushed());
  t.deepEqual(await acceptRequest(landing, pushed({ contentSha256: digest("other") })), { outcome: "conflict" });
  const { rows } = await landing.database.query("select count(*) as n from deliveries");
  t.deepEqual(rows, [{ n: 1 }]);
});

test("twins that race are accepted once", async (t) => {
  const { landing, queued } = await openLanding(t);
  const outcomes = await Promise.all([1, 2, 3, 4].map(() => acceptRequest(landing, pushed())));
  t.deepEqual(outcomes.map((one) => one.outcome).toSorted(), ["accepted", "repeated", "repeated", "repeated"]);
  t.is(queued.length, 1);
});

test("a reqId belongs to its partner", async (t) => {
  const { landing } = await openLanding(t);
  await addPartner(landing.database, "other");
  await acceptRequest(landing, pushed());
  const acceptance = await acceptRequest(landing, pushed({ partnerId: "other", contentSha256: digest("other") }));
  t.is(acceptance.outcome, "accepted");
});

test("a full staging area answers busy and keeps nothing", async (t) => {
  const { landing, partnerId } = await openLanding(t);
  await addDelivery(landing.database, partnerId, "accepted");
  await addDelivery(landing.database, partnerId, "loading");
  t.deepEqual(await acceptRequest({ ...landing, stagingDepthMax: 2 }, pushed()), {
    outcome: "busy",
    retryAfterSeconds: 5,
  });
  t.is((await acceptRequest({ ...landing, stagingDepthMax: 3 }, pushed())).outcome, "accepted");
});

test("one partner's backlog makes no other partner wait", async (t) => {
  const { landing, partnerId } = await openLanding(t);
  await addPartner(landing.database, "other");
  await addDelivery(landing.database, partnerId, "accepted");
  await addDelivery(landing.database, partnerId, "loading");
  const full = { ...landing, stagingDepthMax: 2, stagingDepthTotalMax: 3 };
  t.is((await acceptRequest(full, pushed())).outcome, "busy");
  t.is((await acceptRequest(full, pushed({ partnerId: "other" }))).outcome, "accepted");
  t.is((await acceptRequest(full, pushed({ partnerId: "other", requestId: randomUUID() }))).outcome, "busy");
});

test("a request that was accepted is answered again however full the staging area is", async (t) => {
  const { landing } = await openLanding(t);
  const first = await acceptRequest({ ...landing, stagingDepthMax: 1 }, pushed());
  t.is(first.outcome, "accepted");
  t.deepEqual(await acceptRequest({ ...landing, stagingDepthMax: 1 }, pushed()), { ...first, outcome: "repeated" });
});

test("a queue that is away does not lose what was accepted", async (t) => {
  const { landing } = await openLanding(t);
  const acceptance = await acceptRequest(
    { ...landing, enqueue: () => Promise.reject(new Error("no queue")) },
    pushed(),
  );
  t.is(acceptance.outcome, "accepted");
});

function pushed(more: Partial<PushedRequest> = {}): PushedRequest {
  return {
    partnerId: "bank",
    requestId: "7b1f4a50-9f6e-4a53-9f0e-2f9a5a0c8f11",
    body: Buffer.from("encrypted"),
    contentSha256: digest("content"),
    uids: [],
    correlationId: "c-1",
    ...more,
  };
}
