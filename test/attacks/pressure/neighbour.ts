/**
 * Another partner, who does nothing but its daily work while somebody attacks: how long does it wait? Its work is a
 * process of its own (neighbour-work.ts), so that what the attacker's process does is not counted as the service's.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { JWK } from "jose";
import type { Partner } from "../../outside/partner.ts";
import type { World } from "../attack.ts";

export type Work = {
  port: number;
  sftpPort: number;
  authority: string;
  partnerId: string;
  /** Where its sftp_key lies. */
  folder: string;
  from: string;
  token: string;
  key: JWK & { kid: string };
  user: string;
  /** Which of the three kinds of work it does. */
  kinds: readonly Kind[];
};

export const kinds = ["push", "get", "file"] as const;
export type Kind = (typeof kinds)[number];

/** Milliseconds of each; what failed or was never answered counts as `never`. */
export type Waits = Record<Kind, number[]>;
/** As long as anybody was waited for. */
export const never = 60_000;

export type Neighbour = {
  /** From now until `stop`. */
  start(): Promise<void>;
  /** @returns what came so far, which counts no more. */
  forget(): Promise<Waits>;
  /** What is under way is waited for, up to `never`. */
  stop(): Promise<Waits>;
};

/** @param from the address from which the partner calls */
export async function openNeighbour(
  world: World,
  partner: Partner,
  from: string,
  does: readonly Kind[] = kinds,
): Promise<Neighbour> {
  const user = "neighbour";
  await partner.call("POST", "/users", { body: { bankUserId: user, brand: partner.brand.id, locale: "en-GB" } });
  const work: Work = {
    port: world.service.httpsPort,
    sftpPort: world.service.sftpPort,
    authority: world.authority,
    partnerId: partner.id,
    folder: partner.folder,
    from,
    token: await partner.login(user),
    key: await partner.batchKey(),
    user,
    kinds: does,
  };
  let child: ChildProcess | null = null;
  const ask = async (message: string | Work): Promise<unknown> => {
    child ??= fork(new URL("neighbour-work.ts", import.meta.url));
    child.send(message);
    return (await once(child, "message"))[0] as unknown;
  };
  return {
    // Its first round is done then: keys are parsed, connections open.
    start: async () => void (await ask(work)),
    forget: async () => (await ask("forget")) as Waits,
    async stop() {
      const waits = (await ask("stop")) as Waits;
      child?.disconnect();
      return waits;
    },
  };
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function shown(ms: number): string {
  if (Number.isNaN(ms)) return "-";
  return ms >= never ? "never" : ms >= 10_000 ? `${(ms / 1000).toFixed(0)} s` : `${ms.toFixed(0)} ms`;
}
