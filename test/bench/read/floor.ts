/** The floor of a read: a call finds one row by an index and answers a text that was there before. Nobody is identified. */
import type { AddressInfo } from "node:net";
import { apiConnectionsMax } from "../../../config/connections.ts";
import { createApp, type Tls } from "../../../src/api/app.ts";
import { sendJson } from "../../../src/api/reply.ts";
import { openDatabase } from "../../../src/database.ts";
import { createEvents } from "../../../src/events.ts";

export type Floor = { port: number; close(): Promise<void> };

/** @param body what is answered at /constant/SUBJECT */
export async function openFloor(tls: Tls, databaseUrl: string, body: Buffer): Promise<Floor> {
  const database = openDatabase(databaseUrl, { sizeMax: apiConnectionsMax, applicationName: "floor" });
  const app = createApp(tls, createEvents({ level: "silent" }), { asksForCertificates: false, trustedProxies: [] });
  app.get("/constant/:subject", async (request, reply) => {
    const { subject } = request.params as { subject: string };
    const { rows } = await database.query({ name: "floor", text: "select id from users where subject = $1", values: [subject] });
    return sendJson(reply, rows.length === 1 ? body : "");
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  return {
    port: (app.server.address() as AddressInfo).port,
    async close() {
      await app.close();
      await database.end();
    },
  };
}
