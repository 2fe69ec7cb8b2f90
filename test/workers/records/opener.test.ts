/** What opens a partner's batches asks for each key once, however many of them come together. */
import test, { type ExecutionContext } from "ava";
import { createOpener } from "../../../workers/records/opener.ts";
import type { BatchOpener } from "../../../workers/records/batch.ts";
import { type LoadingWorld, openLoading } from "../world.ts";

test("batches that come together ask for their key once, and each has it", async (t) => {
  const { key, opener, asked } = await openWatched(t);
  const keys = await Promise.all([1, 2, 3].map(() => opener.findKey(key.kid)));
  t.is(keys[0]?.type, "private");
  t.is(new Set(keys).size, 1);
  t.is(asked.times, 1);
});

test("a look-up that fails fails who waits for it, and is made again for the next", async (t) => {
  const { key, opener, asked } = await openWatched(t);
  asked.isBroken = true;
  const waiting = await Promise.allSettled([1, 2].map(() => opener.findKey(key.kid)));
  t.deepEqual(
    waiting.map((one) => one.status === "rejected" && String(one.reason)),
    ["Error: connection lost", "Error: connection lost"],
  );
  asked.isBroken = false;
  t.truthy(await opener.findKey(key.kid));
  t.is(asked.times, 2);
});

type Watched = LoadingWorld & { opener: BatchOpener; asked: { times: number; isBroken: boolean } };

async function openWatched(t: ExecutionContext): Promise<Watched> {
  const world = await openLoading(t);
  const asked = { times: 0, isBroken: false };
  const database = new Proxy(world.context.database, {
    get(pool, name) {
      if (name !== "query") return Reflect.get(pool, name);
      return (...parameters: Parameters<typeof pool.query>) => {
        asked.times += 1;
        return asked.isBroken ? Promise.reject(new Error("connection lost")) : pool.query(...parameters);
      };
    },
  });
  const opener = await createOpener({ ...world.context, database }, { id: world.partnerId, settings: {} }, new Date());
  return { ...world, opener, asked };
}
