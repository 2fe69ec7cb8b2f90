/**
 * A fleet of real processes on real servers, and two banks' worth of clients at work on it, with a book of what was
 * acknowledged. Drills strike it and then ask what became of the book.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { DatabaseUrls } from "../../src/database/service-roles.ts";
import { Book } from "../faults/book.ts";
import { judge, type Verdict } from "../faults/checker.ts";
import { countCompleted, countUnfinished, findReceipts, findRequests, findRows } from "../faults/found.ts";
import { readBatchKey } from "../faults/generated.ts";
import { Member } from "../faults/member.ts";
import { createRandom } from "../faults/random.ts";
import { type Bank, createUsers, push } from "../faults/sending.ts";
import { Traffic, type TrafficSettings } from "../faults/traffic.ts";
import { onboardPartner } from "../outside/partner.ts";
import { repository } from "../outside/service.ts";
import { freePort } from "../ports.ts";
import { run, type Stage, until } from "./tools.ts";

export type FleetSettings = {
  urls: DatabaseUrls;
  redisUrl: string | null;
  /** By name, what each runs. */
  members: Readonly<Record<string, string>>;
  environment?: NodeJS.ProcessEnv;
};

/** Kept from run to run: a start takes half as long with it. */
const compiled = path.join(tmpdir(), "tideline-drills-compiled");

export type FleetMember = { process: Member; role: string; observePort: number };

export class Fleet {
  readonly folder: string;
  readonly httpsPort: number;
  readonly sftpPort: number;
  readonly environment: NodeJS.ProcessEnv;
  readonly members = new Map<string, FleetMember>();

  private constructor(folder: string, ports: { https: number; sftp: number }, environment: NodeJS.ProcessEnv) {
    [this.folder, this.httpsPort, this.sftpPort] = [folder, ports.https, ports.sftp];
    this.environment = environment;
  }

  /** Starts every member. The first API is whose authority clients trust. */
  static async open(stage: Stage, { urls, redisUrl, members, environment = {} }: FleetSettings): Promise<Fleet> {
    const folder = path.join(stage.folder, "fleet");
    await mkdir(folder);
    const firstApi = Object.entries(members).find(([, role]) => role === "api")?.[0] ?? "api";
    const fleet = new Fleet(
      folder,
      { https: await freePort(), sftp: await freePort() },
      {
        NODE_COMPILE_CACHE: compiled,
        ...addressesOf(urls),
        ...(redisUrl === null ? {} : { REDIS_URL: redisUrl }),
        TIDELINE_KEY_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
        TIDELINE_VAULT_DIR: path.join(folder, "vault"),
        TIDELINE_LANDING_DIR: path.join(folder, "landing"),
        TIDELINE_HOST_KEYS_DIR: path.join(folder, firstApi, "host-keys"),
        TIDELINE_SFTP_INCOMPLETE_MINUTES: "0",
        TIDELINE_CONSOLE_PORT: "0",
        // The machine has few cores for so many processes.
        TIDELINE_LOAD_THREADS: "1",
        TIDELINE_DOOR_THREADS: "1",
        ...environment,
      },
    );
    for (const [name, role] of Object.entries(members)) await fleet.#add(name, role);
    stage.atEnd(() => fleet.end());
    await Promise.all(
      [...fleet.members.keys()].map(async (name) => {
        const one = fleet.member(name);
        one.launch();
        if (!(await one.settled())) throw new Error(`${name} does not start: ${one.said}`);
      }),
    );
    return fleet;
  }

  async #add(name: string, role: string): Promise<void> {
    const observePort = await freePort();
    const ports = [
      ...(role === "api" ? ["--https-port", String(this.httpsPort)] : []),
      ...(role === "sftp" ? ["--sftp-port", String(this.sftpPort)] : []),
    ];
    const process = new Member({
      name,
      environment: this.environment,
      dataDir: path.join(this.folder, name),
      logFile: path.join(this.folder, `${name}.log`),
      flags: ["--roles", role, "--observe-port", String(observePort), ...ports],
    });
    this.members.set(name, { process, role, observePort });
  }

  member(name: string): Member {
    const found = this.members.get(name);
    if (found === undefined) throw new Error(`the fleet has no ${name}`);
    return found.process;
  }

  names(role: string): string[] {
    return [...this.members].filter(([, one]) => one.role === role).map(([name]) => name);
  }

  /** Whether a member calls itself ready; `of`: for reads or for writes alone. */
  async isReady(name: string, of: "" | "/reads" | "/writes" = ""): Promise<boolean> {
    const port = this.members.get(name)?.observePort;
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready${of}`, {
      signal: AbortSignal.timeout(4000),
    }).catch(() => null);
    return answer?.status === 200;
  }

  async tideline(...parameters: string[]): Promise<string> {
    const command = [path.join(repository, "src/cli/tideline.mjs"), ...parameters, "--data-dir", this.#firstData()];
    return await run(process.execPath, command, { ...process.env, ...this.environment });
  }

  #firstData(): string {
    return path.join(this.folder, this.names("api")[0] ?? "");
  }

  /** A bank with users, onboarded by commands. */
  async onboard(id: string, users: number): Promise<Bank> {
    const brand = { id: `${id}-dk`, country: "DK", currency: "DKK", timeZone: "Europe/Copenhagen", locale: "da-DK" };
    const service = {
      folder: this.folder,
      dataDir: this.#firstData(),
      httpsPort: this.httpsPort,
      sftpPort: this.sftpPort,
      tideline: (...words: string[]) => this.tideline(...words),
    };
    const partner = await onboardPartner(service, id, brand);
    const bank = {
      partner,
      key: readBatchKey(await partner.batchKey()),
      book: new Book(),
      users: Array.from({ length: users }, (_, number) => `${id}-user-${number}`),
      prefix: id,
      over: new AbortController().signal,
    };
    await createUsers(bank);
    return bank;
  }

  /** What its processes logged of a kind. */
  async events(name: string, event: string): Promise<Record<string, unknown>[]> {
    return await this.member(name).eventsNamed(event);
  }

  async end(): Promise<void> {
    const processes = [...this.members.values()].map((one) => one.process);
    for (const one of processes) one.retire();
    await Promise.all(processes.map((one) => one.kill()));
  }
}

/** What a member's environment has of them. */
function addressesOf({ migrator, jobs, jobsDirect, loader, api }: DatabaseUrls): NodeJS.ProcessEnv {
  return {
    DATABASE_URL: migrator,
    DATABASE_URL_JOBS: jobs,
    DATABASE_URL_LOADER: loader,
    DATABASE_URL_API: api,
    ...(jobsDirect === undefined ? {} : { DATABASE_URL_JOBS_DIRECT: jobsDirect }),
  };
}

/** Both doors in use until it is told to finish. */
export function startTraffic(bank: Bank, seed: number, settings?: TrafficSettings): Traffic {
  const traffic = new Traffic(bank, createRandom(seed), settings);
  traffic.start();
  return traffic;
}

/** Everything that was sent is completed, loaded and read back. @param url for looking, at the server itself */
export async function settle(bank: Bank, url: string, withinMs = 300_000): Promise<Verdict> {
  await push(bank, [], bank.users);
  await until(
    "everything acknowledged is loaded",
    async () =>
      (await countUnfinished(url)) === 0 &&
      (await countCompleted(url, bank.partner.id, bank.users)) === bank.users.length,
    withinMs,
    100,
  );
  return judge(
    bank.book,
    await findRows(url, bank.partner.id, bank.book),
    await findRequests(url, bank.partner.id, bank.book),
    await findReceipts(bank.partner, bank.prefix),
  );
}

/** @throws with examples, when the book is not kept */
export function assertKept({ lost, doubled, foreign, receiptsWrong, examples }: Verdict, bank: Bank): string {
  assert.deepEqual(
    { lost, doubled, foreign, receiptsWrong },
    { lost: 0, doubled: 0, foreign: 0, receiptsWrong: 0 },
    examples.join("\n"),
  );
  return `${bank.book.acknowledged.length} deliveries with ${bank.book.owed.size} records acknowledged: lost 0, doubled 0, wrong receipts 0`;
}

export type Call = { at: number; took: number; status: number };

/** One caller that calls without pause. `stop` ends it. */
export function callWithoutPause(call: () => Promise<number>, pauseMs = 20) {
  const calls: Call[] = [];
  const stopping = new AbortController();
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      const at = performance.now();
      const status = await call().catch(() => 0);
      calls.push({ at, took: performance.now() - at, status });
      await wait(pauseMs);
    }
  })();
  return {
    calls,
    stop: async () => {
      stopping.abort();
      await loop;
      return calls;
    },
  };
}

/** Seconds from a moment until the first call that succeeded of those begun after it. */
export function secondsUntilServed(calls: readonly Call[], since: number): number | null {
  const served = calls.find(({ at, status }) => at > since && status >= 200 && status < 300);
  return served === undefined ? null : (served.at + served.took - since) / 1000;
}
