/** Another partner, who goes on sending while the first one sends what is broken, and must not notice. */
import { setTimeout as wait } from "node:timers/promises";
import { Book } from "./book.ts";
import { makeRecords, sealRequest } from "./generated.ts";
import type { Round } from "./round.ts";
import { type Bank, createUsers, pushOnce, pushSealed } from "./sending.ts";

const pauseMs = 150;
const recordsPerBatch = 20;

/**
 * Each of the neighbour's requests must be taken at the first attempt; that all of them are loaded is checked with the
 * round.
 */
export async function besideNeighbour(round: Round, work: () => Promise<void>): Promise<void> {
  const { world, bank } = round;
  if (!world.neighbour) throw new Error("this world has no neighbour");
  const prefix = `${bank.prefix}-neighbour`;
  const neighbour: Bank = { ...world.neighbour, book: new Book(), users: [prefix], prefix, over: bank.over };
  await createUsers(neighbour);
  round.alsoCheck(neighbour);
  const ending = new AbortController();
  const sending = (async () => {
    while (!ending.signal.aborted) {
      await send(round, neighbour);
      await wait(pauseMs);
    }
  })();
  try {
    await work();
  } finally {
    ending.abort();
    await sending;
  }
}

async function send({ random, fail }: Round, neighbour: Bank): Promise<void> {
  const records = makeRecords(random, neighbour.users, recordsPerBatch);
  const request = sealRequest(
    neighbour.key,
    records.map((one) => one.json),
  );
  neighbour.book.offer(records);
  const status = await pushOnce(neighbour, request);
  if (status !== 201) {
    fail(`the neighbour was answered with ${status}`);
    await pushSealed(neighbour, request);
  }
  neighbour.book.owe(records, {
    door: "https",
    reference: request.requestId,
    expected: { records: records.length, markers: 0, refused: 0 },
  });
}
