/** A service keeps its id as its payments grow, merge, split and are purged, and no two share one. */
import test from "ava";
import { assignIds, uuidVersion5 } from "../../../src/recognition/services/identity.ts";
import fc from "../../property.ts";

const user = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";

test("ids are name-based UUIDs as the standard computes them", (t) => {
  t.is(uuidVersion5(user, "www.example.com"), "2ed6657d-e927-568b-95e1-2665a8aea6a2");
});

test("a service seen for the first time gets the id of its key", (t) => {
  t.deepEqual(assignIds(user, [], [{ key: "OUT:GYM:a", txids: ["a", "b"] }]), [
    { id: uuidVersion5(user, "OUT:GYM:a"), isNew: true, mergedIds: [] },
  ]);
});

test("the id stays when payments are added before and after, and when the name changes", (t) => {
  const [assigned] = assignIds(
    user,
    [{ id: "id-1", key: "OUT:GYM:b", txids: ["b", "c"] }],
    [{ key: "OUT:PULS:a", txids: ["a", "b", "c", "d"] }],
  );
  t.deepEqual(assigned, { id: "id-1", isNew: false, mergedIds: [] });
});

test("when two services turn out to be one, the older id stays and the other is told", (t) => {
  const known = [
    { id: "old", key: "k1", txids: ["a"] },
    { id: "young", key: "k2", txids: ["b", "c"] },
  ];
  t.deepEqual(assignIds(user, known, [{ key: "k1", txids: ["a", "b", "c"] }]), [
    { id: "old", isNew: false, mergedIds: ["young"] },
  ]);
});

test("when one turns out to be two, the larger part keeps the id and the other gets a new one", (t) => {
  const known = [{ id: "old", key: "OUT:GYM:a", txids: ["a", "b", "c"] }];
  const [small, large] = assignIds(user, known, [
    { key: "OUT:GYM:a", txids: ["a"] },
    { key: "OUT:GYM:b", txids: ["b", "c"] },
  ]);
  t.like(large, { id: "old", isNew: false });
  t.like(small, { isNew: true, id: uuidVersion5(user, "OUT:GYM:a") });
});

test("a service whose transactions were all purged is known by its key", (t) => {
  t.like(assignIds(user, [{ id: "old", key: "OUT:GYM:a", txids: ["gone"] }], [{ key: "OUT:GYM:a", txids: ["z"] }])[0], {
    id: "old",
    isNew: false,
  });
});

test("a new key whose id is taken gets another", (t) => {
  const id = uuidVersion5(user, "OUT:GYM:a");
  const known = [{ id, key: "OUT:OTHER:x", txids: ["x"] }];
  t.deepEqual(
    assignIds(user, known, [
      { key: "OUT:OTHER:x", txids: ["x"] },
      { key: "OUT:GYM:a", txids: ["a"] },
    ])[1]?.id,
    uuidVersion5(user, "OUT:GYM:a#2"),
  );
});

test("ids are distinct, and assigning again what was assigned changes nothing", (t) => {
  const parts = fc.uniqueArray(fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 6 }), {
    maxLength: 8,
    selector: (txids) => Math.min(...txids),
  });
  fc.assert(
    fc.property(parts, (groups) => {
      const seen = new Set<number>();
      const found = groups
        .map((txids) => txids.filter((txid) => !seen.has(txid) && seen.add(txid)).map(String))
        .filter((txids) => txids.length > 0)
        .map((txids) => ({ key: `k:${txids[0]}`, txids }));
      const first = assignIds(user, [], found).map(({ id }) => id);
      const again = assignIds(
        user,
        found.map((service, index) => ({ ...service, id: first[index]! })),
        found,
      ).map(({ id }) => id);
      return new Set(first).size === first.length && JSON.stringify(first) === JSON.stringify(again);
    }),
  );
  t.pass();
});
