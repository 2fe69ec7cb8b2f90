/** Requests under way are bounded in number and bytes, and each claim is given back once. */
import test from "ava";
import { Claims } from "../../../../src/landing/sftp/files/claims.ts";
import { Flow } from "../../../../src/landing/sftp/files/flow.ts";

/** Whether a promise is settled by now, once every reaction that is due has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => (settled = true));
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

test("requests are let in until their number or their bytes are reached", async (t) => {
  const byNumber = new Flow(2, 100);
  await byNumber.enter(1);
  await byNumber.enter(1);
  const third = byNumber.enter(1);
  t.false(await isSettled(third));
  byNumber.leave(1);
  t.true(await isSettled(third));

  const byBytes = new Flow(10, 100);
  await byBytes.enter(99);
  await byBytes.enter(50);
  const next = byBytes.enter(1);
  byBytes.leave(10);
  t.false(await isSettled(next));
  byBytes.leave(60);
  t.true(await isSettled(next));
});

test("a request that is to have less before it waits for that, and the next one for its own", async (t) => {
  const flow = new Flow(10, 100);
  await flow.enter(60);
  await flow.enter(30);
  const modest = flow.enter(10, 50);
  flow.leave(30);
  t.false(await isSettled(modest));
  flow.leave(60);
  t.true(await isSettled(modest));
  await flow.enter(80);
  t.true(await isSettled(flow.enter(1)));
});

test("a single request larger than the limit is let in alone", async (t) => {
  t.true(await isSettled(new Flow(2, 100).enter(1000)));
});

test("nobody waits once the peer is gone", async (t) => {
  const flow = new Flow(1, 100);
  await flow.enter(1);
  const waiting = flow.enter(1);
  flow.close();
  t.true(await isSettled(waiting));
});

test("claims are taken all or none, and given back once", async (t) => {
  const claims = new Claims();
  const release = claims.take("a", "b");
  t.is(claims.take("b", "c"), null);
  const other = claims.take("c");
  t.truthy(other);
  const empty = claims.whenEmpty();
  release?.();
  release?.();
  t.false(await isSettled(empty));
  other?.();
  t.true(await isSettled(empty));
});
