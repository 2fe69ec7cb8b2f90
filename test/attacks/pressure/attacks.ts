/** The ways to press on the service so that others wait, each begun and ended at will; see pressure.ts for their table. */
import type { Partner } from "../../outside/partner.ts";
import type { World } from "../attack.ts";
import { askReadiness, fillMemory, readNothing, stayInBodies } from "./connections.ts";
import { deliverBombs } from "./bombs.ts";
import { pushGarbage, pushInNameOf, replay } from "./pushing.ts";
import { stayBeforeLogin } from "./silence.ts";

export type Pressure = {
  name: string;
  /** What it does, in a few words. */
  does: string;
  /** @param neighbour whose waits are measured. @returns how it ends; what it then says of itself */
  begin(world: World, neighbour: Partner): Promise<() => Promise<string>>;
};

export const pressures: readonly Pressure[] = [
  { name: "none", does: "nobody attacks", begin: async () => async () => "" },
  {
    name: "loading-bombs",
    does: "four files of 3.9 MB, each one line 20,000 times that opens to 15 MiB",
    begin: deliverBombs,
  },
  {
    name: "replayed-request",
    does: "64 callers repeat one accepted request of 26 KB that opens to 15 MiB",
    begin: replay,
  },
  {
    name: "sealed-garbage",
    does: "64 callers from 64 addresses push fresh batches of 15 MiB of users nobody has",
    begin: pushGarbage,
  },
  { name: "garbage-in-your-name", does: "the same under the neighbour's own name", begin: pushInNameOf },
  { name: "unended-bodies", does: "500 connections with bodies of 2 MiB that never end", begin: fillMemory },
  { name: "slow-bodies", does: "500 connections that send a body at 2 bytes/s", begin: stayInBodies },
  { name: "readiness-asked", does: "64 callers ask on and on whether the service is ready", begin: askReadiness },
  { name: "unread-answers", does: "200 connections that ask on and on and read nothing", begin: readNothing },
  {
    name: "silent-sftp",
    does: "1,000 silent connections to the SFTP door from 1,000 addresses",
    begin: stayBeforeLogin,
  },
];
