/** The service that is attacked, started as its operator does, and what an attack may hold of it. */
import { readFile } from "node:fs/promises";
import { Agent, request as httpsRequest } from "node:https";
import path from "node:path";
import { type Answer, onboardPartner, type Partner } from "../outside/partner.ts";
import { prepareService } from "../outside/service.ts";
import type { Address, Attack, Call, World } from "./attack.ts";
import { createBrowser } from "./browser.ts";

const answerWithinMs = 30_000;

/** @param checkout another one than this, to compare with. @returns the world, and how it ends. */
export async function openWorld(
  wanted: NonNullable<Attack["service"]>,
  checkout?: string,
): Promise<{ world: World; close(): Promise<void> }> {
  // What a service is told by its environment is read when it starts.
  for (const [name, value] of Object.entries(wanted.environment ?? {})) process.env[name] = value;
  const service = await prepareService("attacked", ["--no-demo", ...(wanted.flags ?? [])], checkout);
  const close = async () => {
    for (const name of Object.keys(wanted.environment ?? {})) delete process.env[name];
    await service.stop();
    await service.remove();
  };
  try {
    await service.start();
    const authority = await readFile(path.join(service.dataDir, "tls/ca.pem"), "utf8");
    const baseUrl = `https://127.0.0.1:${service.httpsPort}`;
    const agent = new Agent({ keepAlive: true, ca: authority, maxSockets: 64 });
    const partners = new Map<string, Promise<Partner>>();
    const world: World = {
      service,
      baseUrl,
      authority,
      attacker: "127.66.6.6",
      victim: "127.0.0.7",
      partner(id) {
        const known = partners.get(id) ?? onboardPartner(service, id, brandOf(id));
        partners.set(id, known);
        return known;
      },
      set: (partnerId, assignment) =>
        service.tideline("partner", "set", partnerId, assignment).then(
          () => true,
          () => false,
        ),
      call: (from, method, at, call = {}) => callFrom(agent, from, `${baseUrl}${at}`, method, call),
      browser: (from) => createBrowser({ from, authority, origin: baseUrl }),
    };
    return { world, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function brandOf(id: string) {
  return { id: `${id}-dk`, country: "DK", currency: "DKK", timeZone: "Europe/Copenhagen", locale: "en-GB" };
}

function callFrom(agent: Agent, from: Address, url: string, method: string, call: Call): Promise<Answer> {
  const body =
    call.body === undefined || Buffer.isBuffer(call.body) ? call.body : Buffer.from(JSON.stringify(call.body));
  const headers = {
    ...(body === undefined ? {} : { "content-type": "application/json", "content-length": body.length }),
    ...(call.token === undefined ? {} : { authorization: `Bearer ${call.token}` }),
    ...call.headers,
  };
  return new Promise((resolve, reject) => {
    // Sockets are kept by address, so that no call travels on another address's connection.
    const request = httpsRequest(url, {
      agent,
      method,
      headers,
      localAddress: from,
      family: 4,
      timeout: answerWithinMs,
    });
    request.once("error", reject);
    request.once("timeout", () => request.destroy(new Error("no answer in time")));
    request.once("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString("utf8"),
        }),
      );
    });
    request.end(body);
  });
}
