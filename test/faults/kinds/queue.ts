/** The whole queue lost while deliveries wait in it. */
import { setTimeout as wait } from "node:timers/promises";
import { withDatabase } from "../../outside/ledger-check.ts";
import { makeRecords } from "../generated.ts";
import type { FaultKind, Round } from "../round.ts";
import { push } from "../sending.ts";
import { ordinaryTraffic, Traffic } from "../traffic.ts";

const backlog = 60;

export const queueKinds: FaultKind[] = [
  {
    name: "queue lost: its schema dropped",
    world: "attached",
    rounds: { short: 1, long: 5 },
    strike: (round) => lose(round, () => dropSchema(round)),
  },
  {
    name: "queue lost: Redis flushed",
    world: "fleet",
    rounds: { short: 1, long: 5 },
    strike: (round) => lose(round, async () => void (await round.world.redis?.flushall())),
  },
];

/** Under traffic, with many small deliveries waiting: workers are slower than eight senders. */
async function lose(round: Round, empty: () => Promise<void>): Promise<void> {
  const { bank, random } = round;
  const traffic = new Traffic(bank, random.fork("traffic"), {
    ...ordinaryTraffic,
    recordsMax: 20,
    pushing: 8,
    pauseMs: 0,
  });
  traffic.start();
  await Promise.all(Array.from({ length: backlog }, () => push(bank, makeRecords(random, bank.users, 5))));
  await wait(random.between(0, 300));
  await empty();
  round.struck();
  await traffic.finish();
}

async function dropSchema({ world }: Round): Promise<void> {
  await withDatabase(
    await world.databaseUrl(),
    async (client) => void (await client.query("drop schema bullmq cascade")),
  );
}
