/** Full disks under load. What frees them is somebody's work; that everything goes on then must be nobody's. */
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Member } from "../member.ts";
import type { FaultKind, Round } from "../round.ts";
import { type Disk, disksImpossible, fill } from "../small-disks.ts";
import { ordinaryTraffic, Traffic } from "../traffic.ts";

type Filling = {
  disk: Disk;
  /** What is left for a moment in which nothing has noticed yet. */
  leaveBytesMax: number;
  holdMs: [number, number];
  /** Of a file that needs room in the database. */
  largeFile: number;
};

const kibibyte = 1024;
const fillingsPerRound = 4;

export const diskKinds: FaultKind[] = [
  diskKind("disk full while receiving", {
    disk: "landing",
    leaveBytesMax: 64 * kibibyte,
    holdMs: [300, 2500],
    largeFile: 0,
  }),
  diskKind("disk full while archiving", {
    disk: "vault",
    leaveBytesMax: 64 * kibibyte,
    holdMs: [300, 2500],
    largeFile: 0,
  }),
  diskKind("disk full while staging", {
    disk: "everything",
    leaveBytesMax: 512 * kibibyte,
    holdMs: [300, 1500],
    largeFile: 0,
  }),
  diskKind("disk full for PostgreSQL", {
    disk: "everything",
    leaveBytesMax: 0,
    holdMs: [3000, 6000],
    largeFile: 41_000,
  }),
];

function diskKind(name: string, filling: Filling): FaultKind {
  return {
    name,
    world: "disks",
    rounds: { short: 1, long: 3 },
    impossible: disksImpossible,
    strike: (round) => fillAgain(round, filling),
  };
}

async function fillAgain(round: Round, { disk, leaveBytesMax, holdMs, largeFile }: Filling): Promise<void> {
  const { world, bank, random, short } = round;
  const member = world.member("everything");
  const traffic = new Traffic(bank, random.fork("traffic"), { ...ordinaryTraffic, largeFile });
  traffic.start();
  const supervised = supervise(member);
  try {
    for (let filling = 0; filling < (short ? 1 : fillingsPerRound); filling += 1) {
      await wait(random.between(100, 800));
      const giveBack = await fill(path.join(world.folder, disk), random.between(0, leaveBytesMax));
      round.struck();
      await wait(random.between(...holdMs));
      await giveBack();
    }
    // A service that lost its database may take some seconds to end, and is started again only then.
    await traffic.finish();
  } finally {
    await supervised();
  }
}

const lookEveryMs = 200;

/**
 * Starts again what has ended, as systemd does: without PostgreSQL the service ends. @returns how to stop it, with the
 * service running
 */
function supervise(member: Member): () => Promise<void> {
  const ending = new AbortController();
  const watching = (async () => {
    while (!ending.signal.aborted) {
      if (!member.isRunning) {
        member.launch();
        await member.settled();
      }
      await wait(lookEveryMs);
    }
  })();
  return async () => {
    ending.abort();
    await watching;
    if (!member.isRunning) await member.start();
  };
}
