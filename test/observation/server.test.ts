/** The port on which a process is looked at, over real HTTP. */
import test from "ava";
import { judgeReadiness } from "../../src/observation/readiness.ts";
import { openObserveServer } from "../../src/observation/server.ts";

const open = async (t: { teardown(work: () => Promise<void>): void }, disk = "ok", mayRead = true) => {
  const server = await openObserveServer(
    { host: "127.0.0.1", port: 0 },
    {
      version: "1.2.3",
      roles: ["worker"],
      readiness: async () =>
        judgeReadiness([
          { name: "database", found: "ok", needs: "everything" },
          { name: "disk", found: disk, needs: "writes" },
        ]),
      metrics: async () => ({ text: "up 1\n", type: "text/plain; version=0.0.4" }),
      mayReadMetrics: () => mayRead,
    },
  );
  t.teardown(() => server.close());
  return async (path: string, method = "GET") => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { method });
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
};

test("a live process says so with its version and roles", async (t) => {
  const ask = await open(t);
  const { status, text } = await ask("/health/live");
  t.is(status, 200);
  t.deepEqual(JSON.parse(text), { status: "alive", version: "1.2.3", roles: ["worker"] });
});

test("a full disk: reads are ready, writes and all together are not, each with every check", async (t) => {
  const ask = await open(t, "no space for vault");
  const body = {
    status: "not-ready",
    reads: "ready",
    writes: "not-ready",
    checks: { database: "ok", disk: "no space for vault" },
  };
  const all = await ask("/health/ready");
  t.is(all.status, 503);
  t.is(all.headers.get("retry-after"), "2");
  t.deepEqual(JSON.parse(all.text), body);
  t.is((await ask("/health/ready/reads")).status, 200);
  t.is((await ask("/health/ready/reads?x=1")).status, 200);
  t.is((await ask("/health/ready/writes")).status, 503);
  t.deepEqual(JSON.parse((await ask("/health/ready/reads")).text), body);
});

test("figures are for the networks that may read them", async (t) => {
  const allowed = await open(t);
  t.deepEqual((await allowed("/metrics")).text, "up 1\n");
  const refused = await open(t, "ok", false);
  t.is((await refused("/metrics")).status, 403);
  t.is((await refused("/health/live")).status, 200);
});

test("a HEAD is answered without a body; what is no question, or no path of these, is refused", async (t) => {
  const ask = await open(t);
  t.like(await ask("/health/ready", "HEAD"), { status: 200, text: "" });
  t.is((await ask("/metrics", "POST")).status, 405);
  t.is((await ask("/health/ready/erase")).status, 404);
  t.is((await ask("/")).status, 404);
});
