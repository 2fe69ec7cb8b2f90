/** Where alerts go in tests: a real SMTP server with a login, and a plain HTTP receiver. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { ExecutionContext } from "ava";
import { SMTPServer } from "smtp-server";

export type Mail = { from: string; to: string[]; headers: Record<string, string>; text: string };

/** @param refuses so many messages are refused for now before one is taken */
export async function openMailServer(t: ExecutionContext, refuses = 0): Promise<{ url: string; mails: Mail[] }> {
  const mails: Mail[] = [];
  let refused = 0;
  const server = new SMTPServer({
    authMethods: ["PLAIN"],
    allowInsecureAuth: true,
    // The test's own certificate would have to be trusted; what is tested is what is said.
    hideSTARTTLS: true,
    onAuth: ({ username, password }, _session, done) =>
      done(username === "tideline" && password === "secret" ? null : new Error("who?"), { user: username }),
    onData: (stream, session, done) => {
      void text(stream).then((message) => {
        if (refused < refuses) {
          refused += 1;
          return done(Object.assign(new Error("come again"), { responseCode: 451 }));
        }
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          ...read(message),
        });
        return done();
      });
    },
  });
  const listening = server.listen(0, "127.0.0.1");
  await new Promise((resolve) => listening.once("listening", resolve));
  t.teardown(async () => await new Promise<void>((resolve) => server.close(() => resolve())));
  return { url: `smtp://tideline:secret@127.0.0.1:${(listening.address() as AddressInfo).port}`, mails };
}

function read(message: string): { headers: Record<string, string>; text: string } {
  const [head = "", ...body] = message.split("\r\n\r\n");
  const lines = head.replaceAll(/\r\n\s+/g, " ").split("\r\n");
  return {
    headers: Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]),
    ),
    text: body.join("\n\n").replaceAll("\r\n", "\n").trim(),
  };
}

export type Post = { headers: Record<string, string>; body: string };

/** @param status what it answers, one after the other; the last one from then on */
export async function openWebhook(
  t: ExecutionContext,
  status: number[] = [204],
): Promise<{ url: string; posts: Post[] }> {
  const posts: Post[] = [];
  const answers = [...status];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      posts.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead((answers.length > 1 ? answers.shift() : answers[0]) ?? 204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(async () => await new Promise<void>((resolve) => server.close(() => resolve())));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts`, posts };
}
