/**
 * A proxy in front goes by one of two Host headers and the service by the other, or one of them by the length of a body
 * and the other by its chunks: so one caller's bytes become another's request. Is anything of that answered as a request?
 */
import { once } from "node:events";
import { connect as connectSocket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Attack, World } from "./attack.ts";

const answerWithinMs = 20_000;
const start = (method: string, ...fields: string[]) =>
  [`${method} /health/live HTTP/1.1`, ...fields, "Connection: close", "", ""].join("\r\n");

/** Each to be refused as a whole. */
const requests: Record<string, string> = {
  "two hosts": start("GET", "Host: localhost", "Host: elsewhere"),
  "two hosts, the same": start("GET", "Host: localhost", "Host: localhost"),
  "two hosts of other letters": start("GET", "Host: localhost", "hOST: elsewhere"),
  "no host": start("GET"),
  "length and chunks": `${start("GET", "Host: localhost", "Content-Length: 4", "Transfer-Encoding: chunked")}0\r\n\r\n`,
  "two lengths": `${start("GET", "Host: localhost", "Content-Length: 4", "Content-Length: 5")}abcd`,
  "chunked twice": `${start("GET", "Host: localhost", "Transfer-Encoding: chunked", "Transfer-Encoding: identity")}0\r\n\r\n`,
  "a space before the colon": start("GET", "Host: localhost", "Transfer-Encoding : chunked"),
  "a folded field": start("GET", "Host: localhost", "X-One: a\r\n Transfer-Encoding: chunked"),
  "a bare line feed": start("GET", "Host: localhost\nX-One: a"),
};

export const attack: Attack = {
  name: "two-hosts",
  async succeeds(world) {
    if ((await statusesOf(world, start("GET", "Host: localhost"))) !== "200")
      throw new Error("a good request was not answered");
    const taken: string[] = [];
    for (const [name, bytes] of Object.entries(requests)) {
      const statuses = await statusesOf(world, bytes);
      if (statuses !== "400") taken.push(`${name}: ${statuses || "closed"}`);
    }
    // A second protocol would have a second name for the host.
    const protocol = await agreedProtocol(world);
    if (protocol !== "http/1.1") taken.push(`speaks ${protocol}`);
    return {
      succeeded: taken.length > 0,
      seen: taken.join("; ") || `all ${Object.keys(requests).length} answered 400`,
    };
  },
};

/** Of all answers that came, one behind the other. */
async function statusesOf(world: World, bytes: string): Promise<string> {
  const socket = await open(world);
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
  socket.write(bytes);
  await once(socket, "close");
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => status).join(" ");
}

async function agreedProtocol(world: World): Promise<string | false | null> {
  const socket = await open(world, ["h2", "http/1.1"]);
  await once(socket, "secureConnect");
  const { alpnProtocol } = socket;
  socket.destroy();
  return alpnProtocol;
}

async function open({ service, authority, attacker }: World, protocols: string[] = []) {
  const socket = connectTls({
    socket: connectSocket({ host: "127.0.0.1", port: service.httpsPort, localAddress: attacker }),
    servername: "localhost",
    ca: authority,
    ALPNProtocols: protocols,
  });
  socket.setTimeout(answerWithinMs, () => socket.destroy());
  socket.on("error", () => undefined);
  return socket;
}
