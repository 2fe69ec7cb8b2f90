/** Bodies in memory are bounded together, by partner and by source, and whoever holds most gives way. */
import test from "ava";
import { BytesInFlight } from "../../../src/landing/https/bytes-in-flight.ts";

const from = (source: string, partnerId = "bank", isListed = false) => ({ partnerId, source, isListed });
const limits = { all: 100, ofPartner: 60, ofSource: 40 };

test("one source holds no more than its part, and what was answered is free again", (t) => {
  const inFlight = new BytesInFlight(limits);
  const held = inFlight.hold(from("192.0.2.1"), 0, () => t.fail("is not given up"));
  t.true(held.take(40));
  t.false(held.take(1));
  held.release();
  held.release();
  t.is(inFlight.bytes, 0);
  t.true(inFlight.hold(from("192.0.2.1"), 0, () => undefined).take(40));
});

test("of a full partner the source that holds most loses its oldest body for one that holds less", (t) => {
  const inFlight = new BytesInFlight(limits);
  const lost: string[] = [];
  const hold = (source: string, name: string, bytes: number) => {
    const held = inFlight.hold(from(source), 0, () => lost.push(name));
    return held.take(bytes);
  };
  t.true(hold("192.0.2.1", "oldest", 15));
  t.true(hold("192.0.2.1", "newer", 15));
  t.true(hold("192.0.2.2", "other", 28));
  t.true(hold("192.0.2.3", "newcomer", 10));
  t.deepEqual(lost, ["oldest"]);
  t.is(inFlight.bytes, 53);
  t.false(hold("192.0.2.4", "too large", 30), "nobody holds more than it would");
});

test("a body that has come as a whole is not given up for another partner's", (t) => {
  const inFlight = new BytesInFlight(limits);
  const lost: string[] = [];
  for (const partner of ["a", "b"]) {
    const held = inFlight.hold(from(`192.0.2.${partner === "a" ? 1 : 2}`, partner), 0, () => lost.push(partner));
    t.true(held.take(40));
    if (partner === "a") held.arrived();
  }
  t.true(inFlight.hold(from("192.0.2.3", "c"), 0, () => undefined).take(30));
  t.deepEqual(lost, ["b"]);
});

test("a body that was given up takes nothing more", (t) => {
  const inFlight = new BytesInFlight({ all: 10, ofPartner: 10, ofSource: 10 });
  const large = inFlight.hold(from("192.0.2.1"), 0, () => undefined);
  t.true(large.take(9));
  t.true(inFlight.hold(from("192.0.2.2"), 0, () => undefined).take(2));
  t.false(large.take(1));
  t.is(inFlight.bytes, 2);
});

test("who would hold as much in the end is refused at the beginning, and nobody's is given up for it", (t) => {
  const inFlight = new BytesInFlight(limits);
  for (const source of ["192.0.2.1", "192.0.2.2"])
    t.true(inFlight.hold(from(source), 30, () => t.fail("is not given up")).take(30));
  const equal = inFlight.hold(from("192.0.2.3"), 30, () => undefined);
  t.false(equal.take(1));
  const lost: string[] = [];
  const held = new BytesInFlight(limits);
  for (const source of ["192.0.2.1", "192.0.2.2"]) held.hold(from(source), 30, () => lost.push(source)).take(30);
  t.true(held.hold(from("192.0.2.3"), 29, () => undefined).take(1));
  t.deepEqual(lost, ["192.0.2.1"]);
});

test("a sender whom the partner has named has room before all others, however much it sends, and keeps it", (t) => {
  const inFlight = new BytesInFlight(limits);
  const lost: string[] = [];
  const hold = (source: string, partnerId: string, isListed: boolean) =>
    inFlight.hold(from(source, partnerId, isListed), 0, () => lost.push(source));
  t.true(hold("192.0.2.1", "open", false).take(40));
  t.true(hold("192.0.2.2", "bank", true).take(40));
  t.true(hold("192.0.2.3", "other", false).take(20));
  t.true(hold("192.0.2.4", "other", true).take(39));
  t.deepEqual(lost, ["192.0.2.1"]);
  t.false(hold("192.0.2.5", "open", false).take(30));
  t.deepEqual(lost, ["192.0.2.1"]);
});
