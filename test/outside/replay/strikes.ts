/** `kill -9` at chosen moments of a sending, each followed by a start. */
import { setTimeout as wait } from "node:timers/promises";
import type { Tally } from "./bank-sender.ts";
import type { Service, Victims } from "../service.ts";

export type Moment = { when: string; victims: Victims; reached(tally: Tally): boolean };

export type Strike = { when: string; victims: Victims; restartSeconds: number };

const lookEveryMs = 5;
/** Into an upload that is stretched to longer than this. */
const intoUploadMs = 800;
export const stretchedUploadMs = 2500;

/** @param requests how many are to be acknowledged @param files their names, in the order of sending */
export function planMoments(requests: number, files: readonly string[]): Moment[] {
  const [first = "", second = ""] = files;
  const share = (part: number) => (tally: Tally) => tally.requests.size >= requests * part;
  const into = (name: string) => (tally: Tally) =>
    tally.uploading?.name === name && performance.now() - tally.uploading.since > intoUploadMs;
  const after = (name: string) => (tally: Tally) => tally.files.has(name);
  return [
    { when: "a sixth of the requests acknowledged", victims: "tideline", reached: share(1 / 6) },
    { when: `in the middle of the upload of ${first}`, victims: "everything", reached: into(first) },
    { when: "half of the requests acknowledged", victims: "postgres", reached: share(1 / 2) },
    { when: `right after the upload of ${first} was acknowledged`, victims: "everything", reached: after(first) },
    { when: `in the middle of the upload of ${second}`, victims: "postgres", reached: into(second) },
    { when: "nine tenths of the requests acknowledged", victims: "everything", reached: share(9 / 10) },
    { when: `right after the upload of ${second} was acknowledged`, victims: "tideline", reached: after(second) },
  ];
}

/** Strikes at each moment as it comes, in any order, until all are done. */
export async function strikeAt(service: Service, moments: readonly Moment[], tally: Tally): Promise<Strike[]> {
  const waiting = [...moments];
  const strikes: Strike[] = [];
  while (waiting.length > 0) {
    const next = waiting.findIndex((moment) => moment.reached(tally));
    if (next < 0) await wait(lookEveryMs);
    else strikes.push(...(await Promise.all(waiting.splice(next, 1).map((moment) => strike(service, moment)))));
  }
  return strikes;
}

async function strike(service: Service, { when, victims }: Moment): Promise<Strike> {
  await service.kill(victims);
  return { when, victims, restartSeconds: await service.start() };
}
