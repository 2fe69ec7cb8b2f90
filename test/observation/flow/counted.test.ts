/** What a process adds to the flow is what its metrics have grown by since, and a failed write loses none of it. */
import test from "ava";
import { createEvents } from "../../../src/events.ts";
import { startCounting } from "../../../src/observation/flow/counted.ts";
import { linesOf, plots, quantileOf } from "../../../src/observation/flow/plots.ts";

const answered = (method: string, route: string, status: number, durationMs: number) =>
  ["api.answered", { correlationId: "c", method, route, status, durationMs }] as const;

test("counts are those of /metrics, since what was kept last", async (t) => {
  const events = createEvents({ level: "silent" });
  const counting = startCounting(events.registry);
  t.deepEqual((await counting.since()).counts, []);
  events.emit(...answered("GET", "/v1/services", 200, 3));
  events.emit(...answered("GET", "/v1/budgets", 304, 30));
  events.emit(...answered("POST", "/v1/transactions", 429, 1));
  events.emit(...answered("PATCH", "/v1/users", 200, 1));
  events.emit("delivery.accepted", {
    correlationId: "c",
    partnerId: "north",
    deliveryId: "d",
    door: "sftp",
    format: "batches",
    sizeBytes: 700,
  });
  const first = await counting.since();
  const expected = [
    { figure: "bytes", label: "sftp", value: 700 },
    { figure: "reads", label: "2xx", value: 1 },
    { figure: "reads", label: "3xx", value: 1 },
    { figure: "pushes", label: "429", value: 1 },
    { figure: "reads-seconds", label: "0.005", value: 1 },
    { figure: "reads-seconds", label: "0.05", value: 1 },
    { figure: "pushes-seconds", label: "0.002", value: 1 },
  ];
  t.deepEqual(first.counts, expected);
  t.deepEqual((await counting.since()).counts, expected, "what was not kept comes again");
  first.kept();
  events.emit(...answered("GET", "/v1/services", 200, 9000));
  t.deepEqual((await counting.since()).counts, [
    { figure: "reads", label: "2xx", value: 1 },
    { figure: "reads-seconds", label: "Infinity", value: 1 },
  ]);
});

test("a share of calls is found inside its bucket, and beyond the last one told as that", (t) => {
  const bounds = [0.01, 0.05, Number.POSITIVE_INFINITY];
  const counts = (...list: number[]) => list.map((count, at) => ({ bound: bounds[at] ?? 0, count }));
  t.is(quantileOf(counts(10), bounds, 0.5), 0.005);
  t.is(quantileOf(counts(98, 2), bounds, 0.99), 0.03);
  t.is(quantileOf(counts(1, 0, 9), bounds, 0.99), 0.05);
  t.is(quantileOf([], bounds, 0.5), null);
});

test("known labels stand in their order, others by how much they have, and more than six stand together", (t) => {
  const kept = (figure: string, sums: Readonly<Record<string, number>>) =>
    Object.entries(sums).map(([label, value]) => ({ figure, label, value, highest: value, bucket: 0 }));
  const namesOf = (id: string, sums: Readonly<Record<string, number>>) => {
    const spec = plots.find((one) => one.id === id);
    return spec === undefined ? [] : linesOf(spec, kept(id, sums)).map(({ name }) => name);
  };
  t.deepEqual(namesOf("records", { marker: 900, known: 1, new: 2 }), ["new", "known", "marker"]);
  t.deepEqual(namesOf("slots", { a: 1, b: 9, c: 3 }), ["b", "c", "a"]);
  t.deepEqual(namesOf("slots", { a: 1, b: 9, c: 3, d: 4, e: 5, f: 6, g: 7 }), ["b", "g", "f", "e", "d", "all others"]);
});
