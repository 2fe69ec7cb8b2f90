/** Whoever listens to the live part has a place, and leaves it in whichever moment the connection ends. */
import { once } from "node:events";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import test from "ava";
import Fastify from "fastify";
import type { ConsoleContext, Scope } from "../../src/console/context.ts";
import { type Live, openLive } from "../../src/console/live.ts";
import { liveRoute } from "../../src/console/live-route.ts";
import { createTestDatabase } from "../world.ts";

/** More than may listen at once. */
const leaving = 120;

test("who leaves while the session is looked up holds no place and no timer", async (t) => {
  const { database } = await createTestDatabase(t);
  const live = openLive(database);
  const app = Fastify({ forceCloseConnections: true });
  t.teardown(async () => {
    live.close();
    await app.close();
  });
  const gone: Promise<unknown>[] = [];
  app.addHook("onRequest", async ({ headers, raw }) => {
    if (headers["x-leaves"] === undefined) return;
    const closed = once(raw.socket, "close");
    gone.push(closed);
    await closed;
  });
  const counted = countPlaces(live);
  liveRoute(app as unknown as Scope, { live: counted.live, database } as unknown as ConsoleContext);
  await app.listen({ host: "127.0.0.1", port: 0 });
  const at = { host: "127.0.0.1", port: (app.server.address() as AddressInfo).port, path: "/console/live" };

  for (let n = 0; n < leaving; n++) {
    const asked = request({ ...at, headers: { "x-leaves": "1" }, agent: false });
    asked.on("error", () => undefined).end();
    await once(app.server, "request");
    asked.destroy();
  }
  await Promise.all(gone);
  const stays = request({ ...at, agent: false }).end();
  const [answer] = (await once(stays, "response")) as [{ statusCode: number; destroy(): void }];
  t.is(answer.statusCode, 200);
  t.is(gone.length, leaving);
  t.is(counted.taken(), 1);
  answer.destroy();
  await counted.untilFree();
  t.is(counted.taken(), 0);
});

/** The real one, and how many places of it are taken. */
function countPlaces(live: Live): { live: Live; taken(): number; untilFree(): Promise<void> } {
  let taken = 0;
  let freed = () => {};
  const free = new Promise<void>((resolve) => (freed = resolve));
  return {
    taken: () => taken,
    untilFree: () => free,
    live: {
      ...live,
      listen(hears) {
        const stop = live.listen(hears);
        if (stop === null) return null;
        taken++;
        return () => {
          stop();
          if (--taken === 0) freed();
        };
      },
    },
  };
}
