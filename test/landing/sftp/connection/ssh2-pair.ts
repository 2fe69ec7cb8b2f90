/** Two ends of one SSH connection in this process, for tests of what ssh2 does inside. */
import type { AddressInfo } from "node:net";
import type { ExecutionContext } from "ava";
import ssh2, { type Client, type ConnectConfig, type Connection, type ServerConfig } from "ssh2";
import { generateEd25519 } from "../../../../src/landing/sftp/connection/key-pairs.ts";

const hostKey = (await generateEd25519("host")).privateKey;

export type Pair = { server: Connection; client: Client; ended: Promise<string>; ready: Promise<void> };
type Options = ConnectConfig & { hostKeys?: ServerConfig["hostKeys"]; attend?: (server: Connection) => void };

/** A connection that lets everybody in. `attend` is called when the client has identified itself. */
export async function open(
  t: ExecutionContext,
  { hostKeys = [hostKey], attend, ...login }: Options = {},
): Promise<Pair> {
  const identified = Promise.withResolvers<Connection>();
  const listening = new ssh2.Server({ hostKeys }, (connection) => {
    connection.on("error", () => undefined);
    connection.on("authentication", (attempt) => attempt.accept());
    attend?.(connection);
    identified.resolve(connection);
  });
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const client = new ssh2.Client();
  t.teardown(() => {
    client.destroy();
    listening.close();
  });
  const ready = new Promise<void>((resolve) => client.once("ready", resolve));
  const ended = new Promise<string>((resolve) => {
    client.on("error", (error) => resolve(error.message));
    client.once("close", () => resolve("closed"));
  });
  const { port } = listening.address() as AddressInfo;
  client.connect({ host: "127.0.0.1", port, username: "anna", readyTimeout: 110_000, ...login });
  return { server: await identified.promise, client, ended, ready };
}

export function insideOf(connection: Connection): Record<string, object> {
  return (connection as unknown as { _protocol: Record<string, object> })["_protocol"];
}

/** A key of an object inside. */
export function at(object: object | undefined, ...names: string[]): object {
  return names.reduce((inner, name) => (inner as Record<string, object>)[name] ?? {}, object ?? {});
}
