/** A run's changes are counted by services that came, went, or have another frequency or status. */
import test from "ava";
import { addChanges, changesBetween, noChanges } from "../../../src/recognition/services/changes.ts";

const gym = { id: "gym", status: "ACTIVE", paymentFrequency: "MONTHLY" } as const;
const rent = { id: "rent", status: "ACTIVE", paymentFrequency: "MONTHLY" } as const;

test("what stays as it is is no change", (t) => {
  t.deepEqual(changesBetween([], []), { servicesNew: 0, servicesGone: 0, frequenciesChanged: 0, statusesChanged: 0 });
  t.deepEqual(changesBetween([gym, rent], [rent, gym]), noChanges);
});

test("services that come and go are counted by their ids", (t) => {
  t.deepEqual(changesBetween([], [gym, rent]), { ...noChanges, servicesNew: 2 });
  t.deepEqual(changesBetween([gym, rent], []), { ...noChanges, servicesGone: 2 });
  t.deepEqual(changesBetween([gym], [rent]), { ...noChanges, servicesNew: 1, servicesGone: 1 });
});

test("a known service that was not found is new when it is found again, and gone when it is lost", (t) => {
  const lost = { ...gym, status: null, paymentFrequency: null };
  t.deepEqual(changesBetween([lost], [gym]), { ...noChanges, servicesNew: 1 });
  t.deepEqual(changesBetween([gym], [lost]), { ...noChanges, servicesGone: 1 });
  t.deepEqual(changesBetween([lost], [lost]), noChanges);
});

test("another frequency and another status are told each for itself", (t) => {
  t.deepEqual(changesBetween([gym, rent], [{ ...gym, paymentFrequency: "YEARLY" }, rent]), {
    ...noChanges,
    frequenciesChanged: 1,
  });
  t.deepEqual(changesBetween([gym, rent], [gym, { ...rent, status: "CANCELLED" }]), {
    ...noChanges,
    statusesChanged: 1,
  });
});

test("the changes of two users add up", (t) => {
  const one = { servicesNew: 1, servicesGone: 2, frequenciesChanged: 3, statusesChanged: 4 };
  const other = { servicesNew: 10, servicesGone: 20, frequenciesChanged: 30, statusesChanged: 40 };
  t.deepEqual(addChanges(one, other), {
    servicesNew: 11,
    servicesGone: 22,
    frequenciesChanged: 33,
    statusesChanged: 44,
  });
});
