/** Uploads that break off at every 64th of a file, and whatever a client makes of them afterwards. */
import { makeRecords, sealFile, type SentRecord } from "../generated.ts";
import type { FaultKind, Round } from "../round.ts";
import { type Bank, noteFile, put, SftpLane } from "../sending.ts";
import { SftpSession } from "../sftp-session.ts";

const parts = 64;
const recordsPerFile = 300;

/** How a client goes on after its upload broke off. */
const remedies = ["resumed", "repeated", "renamed over"] as const;

export const uploadKinds: FaultKind[] = [
  ...remedies.map((remedy): FaultKind => ({
    name: `upload cut, then ${remedy}`,
    world: "single",
    rounds: { short: 1, long: 4 },
    strike: (round) => cutUploads(round, remedy),
  })),
  { name: "upload closed without all bytes", world: "single", rounds: { short: 1, long: 2 }, strike: closeShort },
  { name: "two uploads of one name at once", world: "single", rounds: { short: 1, long: 3 }, strike: collide },
];

/** In the long form four rounds cut at each 64th once; in the short one four cuts have to do. */
async function cutUploads(round: Round, remedy: (typeof remedies)[number]): Promise<void> {
  const { bank, random } = round;
  const places = Array.from({ length: parts / 4 }, (_, quarter) => quarter * 4 + (round.number % 4));
  for (const place of round.short ? random.shuffle(places).slice(0, 4) : places) {
    const records = makeRecords(random, bank.users, recordsPerFile);
    const file = {
      name: `${bank.prefix}-${place}.jwe`,
      bytes: sealFile(
        bank.key,
        "jwe",
        records.map((one) => one.json),
      ),
    };
    bank.book.offer(records);
    await cutAt(bank, file, Math.floor((file.bytes.length * place) / parts));
    round.struck();
    await goOn(bank, file, remedy);
    noteFile(bank, file.name, records);
  }
}

type File = { name: string; bytes: Buffer };

async function cutAt({ partner }: Bank, { name, bytes }: File, sizeBytes: number): Promise<void> {
  const session = await SftpSession.open(partner);
  const handle = await session.open(name, "w");
  await session.write(handle, bytes, 0, sizeBytes);
  session.cut();
}

/** The door may not have noticed yet that the first connection is gone: a client tries again then. */
async function goOn({ partner }: Bank, { name, bytes }: File, remedy: (typeof remedies)[number]): Promise<void> {
  const lane = new SftpLane(partner);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await lane.run((session) => remedyWith[remedy](session, name, bytes));
      return lane.close();
    } catch (error) {
      if (attempt === attemptsMax) throw error;
    }
  }
}

const attemptsMax = 40;

const remedyWith: Readonly<
  Record<(typeof remedies)[number], (session: SftpSession, name: string, bytes: Buffer) => Promise<void>>
> = {
  async resumed(session, name, bytes) {
    const sizeBytes = await session.sizeOf(name);
    const handle = await session.open(name, "r+");
    await session.write(handle, bytes, sizeBytes);
    await session.close(handle);
  },
  repeated: (session, name, bytes) => session.put(name, bytes),
  async "renamed over"(session, name, bytes) {
    await session.put(`${name}.part`, bytes);
    await session.renameOver(`${name}.part`, name);
  },
};

/** What is acknowledged then is a damaged file: it must be refused whole, and its name stays good for the whole one. */
async function closeShort(round: Round): Promise<void> {
  const { bank, random } = round;
  const lane = new SftpLane(bank.partner);
  for (let number = 0; number < (round.short ? 3 : parts / 4); number += 1) {
    const records = makeRecords(random, bank.users, recordsPerFile);
    const name = `${bank.prefix}-short-${number}.jwe`;
    const bytes = sealFile(
      bank.key,
      "jwe",
      records.map((one) => one.json),
    );
    await lane.run((session) =>
      session.put(name, bytes.subarray(0, Math.floor((bytes.length * random.between(1, parts - 1)) / parts))),
    );
    bank.book.owe([], { door: "sftp", reference: name, expected: { refusedAs: ["DECRYPTION_ERROR"] } });
    round.struck();
    await lane.run((session) => session.put(name, bytes));
    noteFile(bank, name, records);
  }
  lane.close();
}

/** Whoever is told that its file arrived must find it loaded; the other one comes again under a name of its own. */
async function collide(round: Round): Promise<void> {
  const { bank, random } = round;
  for (let number = 0; number < (round.short ? 3 : 12); number += 1) {
    const name = `${bank.prefix}-same-${number}.jwe`;
    const rivals = [makeRecords(random, bank.users, recordsPerFile), makeRecords(random, bank.users, recordsPerFile)];
    const sessions = await Promise.all(rivals.map(() => SftpSession.open(bank.partner)));
    const taken = await Promise.allSettled(
      rivals.map((records, rival) => putWith(bank, sessions[rival], name, records)),
    );
    round.struck();
    for (const session of sessions) session.end();
    for (const [rival, records] of rivals.entries()) {
      if (taken[rival]?.status === "fulfilled") noteFile(bank, name, records);
      else await putAlone(bank, `${bank.prefix}-same-${number}-${rival}.jwe`, records);
    }
  }
}

async function putWith(
  bank: Bank,
  session: SftpSession | undefined,
  name: string,
  records: readonly SentRecord[],
): Promise<void> {
  bank.book.offer(records);
  await session?.put(
    name,
    sealFile(
      bank.key,
      "jwe",
      records.map((one) => one.json),
    ),
  );
}

async function putAlone(bank: Bank, name: string, records: readonly SentRecord[]): Promise<void> {
  const lane = new SftpLane(bank.partner);
  await put(bank, { name, format: "jwe", records, renamed: false }, lane);
  lane.close();
}
