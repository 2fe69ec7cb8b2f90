/**
 * Bodies of POST transactions around a batch that would be loaded. What is acknowledged all the same must be loaded.
 */
import { requestBodyBytesMax } from "../../config/limits.ts";
import type { Random } from "../faults/random.ts";
import { bytesOf } from "./sealing.ts";

export type EnvelopeMutation = {
  name: string;
  /** Whether the door may take it: unknown keys and odd spellings are no errors. */
  mayBeTaken: boolean;
  make(random: Random, reqId: string, txs: string): Buffer;
};

export const envelopeMutations: EnvelopeMutation[] = [
  {
    name: "envelopes out of contract",
    mayBeTaken: false,
    make: (random, reqId, txs) => Buffer.from(wrong(random, reqId, txs)),
  },
  {
    name: "bodies that are no JSON",
    mayBeTaken: false,
    make: (random, reqId, txs) => noJson(random, JSON.stringify({ reqId, txs })),
  },
  { name: "odd envelopes", mayBeTaken: true, make: (random, reqId, txs) => Buffer.from(odd(random, reqId, txs)) },
];

function wrong(random: Random, reqId: string, txs: string): string {
  const noText = random.pick<unknown>([null, 7, true, [], {}, [txs], { txs }]);
  return random.pick<() => string>([
    () =>
      JSON.stringify({
        reqId: random.pick<unknown>([
          "",
          "x",
          reqId.slice(1),
          `${reqId}0`,
          reqId.replaceAll("-", ""),
          ` ${reqId}`,
          `{${reqId}}`,
          noText,
        ]),
        txs,
      }),
    () => JSON.stringify({ reqId, txs: random.pick<unknown>(["", noText]) }),
    () => JSON.stringify([{ reqId, txs }]),
    () => JSON.stringify({ body: { reqId, txs } }),
    () => JSON.stringify(random.pick<unknown>([null, 1, "txs", [], {}, { txs }, { reqId }])),
    () => `{"__proto__":${JSON.stringify({ reqId, txs })}}`,
    () => `${"[".repeat(random.between(1, 900_000))}`,
    () => JSON.stringify({ reqId, txs, pad: "x".repeat(requestBodyBytesMax) }),
  ])();
}

function noJson(random: Random, body: string): Buffer {
  return random.pick<() => Buffer>([
    () => Buffer.from(body.slice(0, random.between(1, body.length - 1))),
    () => Buffer.from(`${body}${body}`),
    () => Buffer.from(body.replace('"reqId"', "reqId")),
    () => Buffer.from(body.replaceAll('"', "'")),
    () => Buffer.from(`${body.slice(0, -1)},}`),
    () => bytesOf(random, random.between(1, 500)).fill(0xff, 0, 1),
    () => Buffer.from(body, "utf16le"),
    () => Buffer.concat([Buffer.from(`${body.slice(0, -1)},"note":"`), Buffer.of(0xc3, 0x28, 0xff), Buffer.from('"}')]),
  ])();
}

function odd(random: Random, reqId: string, txs: string): string {
  return random.pick<() => string>([
    () => JSON.stringify({ reqId: reqId.toUpperCase(), txs }),
    () => JSON.stringify({ txs, later: { nested: [1, 2, { deep: true }] }, reqId }),
    () => `{"txs":"x","reqId":"${reqId}","txs":${JSON.stringify(txs)}}`,
    () => ` \n\t{"reqId" : ${JSON.stringify(reqId)} ,\r\n "txs":${JSON.stringify(txs)} } \n`,
    () => `{"re\\u0071Id":${JSON.stringify(reqId)},"t\\u0078s":${JSON.stringify(txs)}}`,
    () =>
      `{"reqId":${JSON.stringify(reqId)},"txs":"${[...txs].map((character, index) => (index < 300 ? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}` : character)).join("")}"}`,
    () =>
      `{"reqId":${JSON.stringify(reqId)},"txs":${JSON.stringify(txs)},"__proto__":{"reqId":"x"},"constructor":1,"toString":null}`,
    () =>
      `{"reqId":${JSON.stringify(reqId)},"txs":${JSON.stringify(txs)},"later":${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
    () =>
      `{"reqId":${JSON.stringify(reqId)},"txs":${JSON.stringify(txs)},${Array.from({ length: 20_000 }, (_, key) => `"k${key}":0`).join(",")}}`,
    () => `{"reqId":${JSON.stringify(reqId)},"txs":${JSON.stringify(txs)},"surrogate":"\\ud800","nul":"\\u0000"}`,
  ])();
}
