/** Broken batches through the HTTPS door into the threads that open them. */
import { makeRecords } from "../faults/generated.ts";
import type { Random } from "../faults/random.ts";
import { contentMutations, sealContent } from "./contents.ts";
import { envelopeMutations } from "./envelopes.ts";
import type { Answer } from "./http.ts";
import { codeIn, type Expected, fingerprintOf, isBusy, problemOfAny, problemOfBatch } from "./judge.ts";
import { uuidOf } from "./sealing.ts";
import type { Target } from "./target.ts";
import { good, tokenMutations } from "./tokens.ts";
import { Violation } from "./violation.ts";

type Kind = {
  name: string;
  weight: number;
  expected: Expected;
  make(random: Random, target: Target, elements: readonly string[]): Buffer;
};

const undecipherable: Expected = { codes: ["DECRYPTION_ERROR"], mayBeTaken: false };
const unloadable: Expected = { codes: ["TX_DATA_ERROR"], mayBeTaken: false };
const unreadable = (mayBeTaken: boolean): Expected => ({ codes: ["UNKNOWN_ERROR"], mayBeTaken });

const bodyOf = (random: Random, txs: string) => Buffer.from(JSON.stringify({ reqId: uuidOf(random), txs }));
const arrayOf = (elements: readonly string[]) => `[${elements.join(",")}]`;

export const batchKinds: readonly Kind[] = [
  ...tokenMutations.map(({ name, weight = 1, make }): Kind => ({
    name,
    weight,
    expected: undecipherable,
    make: (random, { bank }, elements) => bodyOf(random, make(random, bank.key, arrayOf(elements))),
  })),
  ...contentMutations.map(({ name, make }): Kind => ({
    name,
    weight: 1.2,
    expected: unloadable,
    make: (random, { bank }, elements) => bodyOf(random, sealContent(random, bank.key, make(random, elements))),
  })),
  ...envelopeMutations.map(({ name, mayBeTaken, make }): Kind => ({
    name,
    weight: 0.6,
    expected: unreadable(mayBeTaken),
    make: (random, { bank }, elements) => make(random, uuidOf(random), good(random, bank.key, arrayOf(elements))),
  })),
];

export function pickKind<Item extends { weight: number }>(random: Random, kinds: readonly Item[]): Item {
  let at = random.share() * kinds.reduce((sum, { weight }) => sum + weight, 0);
  const found = kinds.find(({ weight }) => (at -= weight) < 0) ?? kinds.at(-1);
  if (!found) throw new RangeError("no kinds");
  return found;
}

const busyRetriesMax = 20;

/** The first answer to what cannot be opened; all others must be the same. */
export type OneAnswer = { decryption: string | null };

export async function tryBatch(
  target: Target,
  random: Random,
  kinds: readonly Kind[],
  one: OneAnswer,
): Promise<{ kind: string; answer: string; ms: number }> {
  const kind = pickKind(random, kinds);
  // Two at least: some breakage lies between records.
  const records = makeRecords(random, target.bank.users, random.between(2, 20)).map((record) => ({
    ...record,
    json: record.json,
  }));
  const body = kind.make(
    random,
    target,
    records.map((record) => record.json),
  );
  const answer = await send(target, body);
  const problem = problemOfAny(answer, target.other.secrets) ?? problemOfBatch(answer, kind.expected);
  if (problem !== null) throw new Violation(`${kind.name}: ${problem}`, body);
  if (answer.status === 201) owe(target, records, body);
  if (codeIn(answer.body) === "DECRYPTION_ERROR") expectTheOne(one, answer, kind.name, body);
  return {
    kind: kind.name,
    answer: answer.status === 400 ? `400 ${codeIn(answer.body)}` : String(answer.status),
    ms: answer.ms,
  };
}

function owe({ bank }: Target, records: ReturnType<typeof makeRecords>, body: Buffer): void {
  const { reqId } = JSON.parse(body.toString()) as { reqId: string };
  bank.book.owe(records, {
    door: "https",
    reference: reqId.toLowerCase(),
    expected: { records: records.length, markers: 0, refused: 0 },
  });
}

function expectTheOne(one: OneAnswer, answer: Answer, kind: string, body: Buffer): void {
  const fingerprint = fingerprintOf(answer);
  one.decryption ??= fingerprint;
  if (one.decryption !== fingerprint)
    throw new Violation(
      `${kind}: told apart from other failures of decryption: ${fingerprint} and ${one.decryption}`,
      body,
    );
}

async function send({ caller, bank }: Target, body: Buffer): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await caller.call({
      method: "POST",
      path: `/partner/${bank.partner.id}/2.0.0/transactions`,
      headers: { "content-type": "application/json" },
      body,
    });
    if (!isBusy(answer) || attempt === busyRetriesMax) return answer;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
