/**
 * What is read from: the API and its floors, each in a process of its own, as in production, and with production's limit
 * of its young generation. In one process with who makes the households, what that holds was collected while one or
 * another of them was measured.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { ServerCertificate } from "../../../src/machine/tls/authority.ts";

/** The first API migrates the database. keyEncryptionKey: base64. rememberedBytesMax null: as many as by default. */
export type Opening = { databaseUrl: string; keyEncryptionKey: string } & (
  | { open: "api"; dataDir: string; rememberedBytesMax: number | null }
  | { open: "floors"; tls: ServerCertificate }
);
/** What the floors answer from now on: so many bytes, which pass for gzip or not. */
export type Answering = { bytes: number; isPacked: boolean };
export type Asked = Opening | Answering | "processor" | "close";
export type Opened = { port: number; certificate: ServerCertificate };

export type Server = Opened & {
  /** Milliseconds of processor that it has used. */
  cpuMs(): Promise<number>;
  answer(answering: Answering): Promise<void>;
  close(): Promise<void>;
};

/** As package.json, the container and the units start the service. */
const flags = ["--max-semi-space-size=8"];

/** One question at a time. */
export async function openServer(opening: Opening): Promise<Server> {
  const child = fork(path.join(import.meta.dirname, "server.ts"), { execArgv: [...process.execArgv, ...flags] });
  const gone = once(child, "exit");
  const ask = async (asked: Asked): Promise<unknown> => {
    child.send(asked);
    const answer = await Promise.race([once(child, "message"), gone.then(() => null)]);
    if (answer === null) throw new Error("a server that was measured has gone");
    return answer[0];
  };
  const opened = (await ask(opening)) as Opened;
  return {
    ...opened,
    cpuMs: async () => (await ask("processor")) as number,
    answer: async (answering) => void (await ask(answering)),
    async close() {
      await ask("close");
      child.disconnect();
      await gone;
    },
  };
}
