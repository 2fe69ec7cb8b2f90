/** Both doors in use all the while: requests, files of every format, repeats through the other door. */
import { setTimeout as wait } from "node:timers/promises";
import { type FileFormat, fileFormats, makeRecords, type SentRecord } from "./generated.ts";
import type { Random } from "./random.ts";
import { type Bank, push, put, SftpLane } from "./sending.ts";

export type TrafficSettings = {
  /** Lanes that push requests, and lanes that upload files. */
  pushing: number;
  uploading: number;
  recordsMax: number;
  /** Between two deliveries of a lane; leaves the machine some air. */
  pauseMs: number;
  /** Records of a file of several chunks, uploaded first; 0 for none. */
  largeFile: number;
};

export const ordinaryTraffic: TrafficSettings = {
  pushing: 2,
  uploading: 2,
  recordsMax: 120,
  pauseMs: 40,
  largeFile: 0,
};

/** Out of so many uploads one is beyond what is kept beside its row (64 KiB), so that it is synced as a file. */
const roomyEvery = 4;
const roomyRecords = [800, 1_200] as const;
/** Out of so many deliveries one repeats an earlier one's records through whichever door. */
const repeatEvery = 6;
const rememberedMax = 20;

export class Traffic {
  readonly #bank: Bank;
  readonly #random: Random;
  readonly #settings: TrafficSettings;
  readonly #earlier: SentRecord[][] = [];
  #lanes: Promise<void>[] = [];
  readonly #ending = new AbortController();
  #files = 0;

  constructor(bank: Bank, random: Random, settings: TrafficSettings = ordinaryTraffic) {
    this.#bank = bank;
    this.#random = random;
    this.#settings = settings;
  }

  start(): void {
    const { pushing, uploading, largeFile } = this.#settings;
    this.#lanes = [
      ...Array.from({ length: pushing }, () => this.#push()),
      ...Array.from({ length: uploading }, (_, lane) => this.#upload(lane === 0 ? largeFile : 0)),
    ];
    // Told by finish(); until then a failure must not count as unhandled.
    for (const lane of this.#lanes) lane.catch(() => undefined);
  }

  /** Each lane ends when what it has in hand is acknowledged. @throws what broke a lane */
  async finish(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#lanes);
  }

  #isOver(): boolean {
    return this.#ending.signal.aborted || this.#bank.over.aborted;
  }

  async #push(): Promise<void> {
    while (!this.#isOver()) {
      await push(this.#bank, this.#next());
      await wait(this.#settings.pauseMs);
    }
  }

  async #upload(largeFile: number): Promise<void> {
    const lane = new SftpLane(this.#bank.partner);
    if (largeFile > 0)
      await put(
        this.#bank,
        { ...this.#file("jwe"), records: makeRecords(this.#random, this.#bank.users, largeFile) },
        lane,
      );
    while (!this.#isOver()) {
      const records =
        this.#random.between(1, roomyEvery) === 1
          ? makeRecords(this.#random, this.#bank.users, this.#random.between(...roomyRecords))
          : this.#next();
      await put(this.#bank, { ...this.#file(this.#random.pick(fileFormats)), records }, lane);
      await wait(this.#settings.pauseMs);
    }
    lane.close();
  }

  #file(format: FileFormat) {
    this.#files += 1;
    return { name: `${this.#bank.prefix}-${this.#files}.${format}`, format, renamed: this.#random.share() < 0.5 };
  }

  #next(): SentRecord[] {
    const again = this.#random.between(1, repeatEvery) === 1 && this.#earlier.length > 0;
    if (again) return this.#random.pick(this.#earlier);
    const records = makeRecords(this.#random, this.#bank.users, this.#random.between(1, this.#settings.recordsMax));
    this.#earlier.push(records);
    if (this.#earlier.length > rememberedMax) this.#earlier.shift();
    return records;
  }
}
