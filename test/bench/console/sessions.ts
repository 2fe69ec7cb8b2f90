/** Browsers in a process of their own: each has *Today* open, hears its live part, and asks again when something changed. */
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";

export type Sessions = { port: number; ca: string; cookies: string[] };
export type Heard = { streams: number; pages: number };

let heard: Heard = { streams: 0, pages: 0 };
let open: IncomingMessage[] = [];

process.on("message", (message: Sessions | "stop") => {
  if (message === "stop") {
    for (const stream of open) stream.destroy();
    open = [];
    process.send?.(heard);
    heard = { streams: 0, pages: 0 };
    return;
  }
  void Promise.all(message.cookies.map((cookie) => listen(message, cookie))).then(
    () => process.send?.("open"),
    () => process.send?.("failed"),
  );
});

async function listen(sessions: Sessions, cookie: string): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  await ask(sessions, agent, cookie, "/console");
  const stream = await answered(sessions, agent, cookie, "/console/live");
  open.push(stream);
  heard.streams += 1;
  let isAsking = false;
  stream.on("data", (piece: Buffer) => {
    if (!piece.toString().includes("event: change") || isAsking) return;
    isAsking = true;
    void ask(sessions, agent, cookie, "/console").then(
      () => {
        heard.pages += 1;
        isAsking = false;
      },
      () => undefined,
    );
  });
  stream.on("close", () => agent.destroy());
  stream.on("error", () => undefined);
}

async function ask(sessions: Sessions, agent: Agent, cookie: string, path: string): Promise<void> {
  const response = await answered(sessions, agent, cookie, path);
  for await (const _piece of response);
  if (response.statusCode !== 200) throw new Error(`${path} was answered with ${response.statusCode}`);
}

function answered({ port, ca }: Sessions, agent: Agent, cookie: string, path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const call = request({ host: "127.0.0.1", port, ca, servername: "localhost", path, headers: { cookie }, agent });
    call.once("response", resolve);
    call.once("error", reject);
    call.end();
  });
}
