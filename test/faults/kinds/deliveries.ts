/**
 * What banks do without meaning harm: the same again, in another order, through both doors at once, by eight at a time.
 */
import { fileFormats, makeRecords, type Request, sealRequest, type SentRecord } from "../generated.ts";
import type { FaultKind, Round } from "../round.ts";
import { type Bank, push, pushSealed, put, SftpLane } from "../sending.ts";

const batches = 8;
const recordsPerBatch = 60;
const senders = 8;

export const deliveryKinds: FaultKind[] = [
  { name: "deliveries repeated", world: "single", rounds: { short: 1, long: 3 }, strike: repeat },
  { name: "deliveries reordered", world: "single", rounds: { short: 1, long: 2 }, strike: reorder },
  {
    name: "one history through both doors at once",
    world: "single",
    rounds: { short: 1, long: 3 },
    strike: throughBothDoors,
  },
  { name: "eight senders in parallel", world: "single", rounds: { short: 1, long: 3 }, strike: eightSenders },
];

function batchesOf({ random, bank }: Round): SentRecord[][] {
  return Array.from({ length: batches }, () => makeRecords(random, bank.users, recordsPerBatch));
}

/** The very same request twice at once and once more later; the very same file under its name and under another. */
async function repeat(round: Round): Promise<void> {
  const { bank } = round;
  const lane = new SftpLane(bank.partner);
  for (const [number, records] of batchesOf(round).entries()) {
    const request = await pushTwice(bank, records);
    await pushSealed(bank, request);
    const name = `${bank.prefix}-repeat-${number}.jsonl`;
    await putTwice(bank, name, records, lane);
    round.struck(4);
  }
  lane.close();
}

async function pushTwice(bank: Bank, records: readonly SentRecord[]): Promise<Request> {
  const request = sealRequest(
    bank.key,
    records.map((one) => one.json),
  );
  bank.book.offer(records);
  await Promise.all([pushSealed(bank, request), pushSealed(bank, request)]);
  bank.book.owe(records, {
    door: "https",
    reference: request.requestId,
    expected: { records: records.length, markers: 0, refused: 0 },
  });
  return request;
}

/** The second time it is refused as a repeat, and the first receipt stays true. */
async function putTwice(bank: Bank, name: string, records: readonly SentRecord[], lane: SftpLane): Promise<void> {
  const bytes = Buffer.from(
    records
      .map(({ json }) => sealRequest(bank.key, [json]))
      .map(({ requestId, txs }) => `${JSON.stringify({ reqId: requestId, txs })}\n`)
      .join(""),
  );
  bank.book.offer(records);
  for (const _ of [1, 2]) await lane.run((session) => session.put(name, bytes));
  bank.book.owe(records, {
    door: "sftp",
    reference: name,
    expected: { records: records.length, markers: 0, refused: 0 },
  });
  await lane.run((session) => session.put(`copy-of-${name}`, bytes));
}

/** Newest first, with the markers in the middle of it. */
async function reorder(round: Round): Promise<void> {
  const { bank } = round;
  const all = batchesOf(round).toReversed();
  for (const [number, records] of all.entries()) {
    await push(bank, records, number === batches / 2 ? bank.users : []);
    round.struck();
  }
}

async function throughBothDoors(round: Round): Promise<void> {
  const { bank, random } = round;
  const all = batchesOf(round);
  const lanes = [new SftpLane(bank.partner), new SftpLane(bank.partner)];
  const pushed = all.map((records) => push(bank, records));
  const dropped = lanes.map(async (lane, number) => {
    for (const [at, records] of all.entries()) {
      const format = random.pick(fileFormats);
      await put(
        bank,
        { name: `${bank.prefix}-${number}-${at}.${format}`, format, records, renamed: at % 2 === 0 },
        lane,
      );
    }
    lane.close();
  });
  await Promise.all([...pushed, ...dropped]);
  round.struck(all.length * 3);
}

/**
 * Each sends all of the same in an order of its own, half of them as files: the same rows are wanted by all at once.
 */
async function eightSenders(round: Round): Promise<void> {
  const { bank, random } = round;
  const all = batchesOf(round);
  const send = async (number: number) => {
    const order = random.shuffle(all);
    const lane = new SftpLane(bank.partner);
    for (const [at, records] of order.entries()) {
      if (number % 2 === 0) await push(bank, records);
      else
        await put(bank, { name: `${bank.prefix}-${number}-${at}.jwe`, format: "jwe", records, renamed: false }, lane);
    }
    lane.close();
  };
  await Promise.all(Array.from({ length: senders }, (_, number) => send(number)));
  round.struck(senders * batches);
}
