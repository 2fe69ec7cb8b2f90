/** `tideline webhook-inbox`: a partner's developer's inbox for notifications, which shows, checks, passes on and repeats them. */
import { once } from "node:events";
import { openInbox, readInbox, sendAgain } from "../../demo/inbox.ts";
import { typeOf } from "../../demo/inbox-message.ts";
import { readArguments, readCount, required, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { listenForInterrupt } from "../terminal/interrupt.ts";
import { alignColumns, printResult } from "../terminal/result.ts";

export const usage = `
tideline webhook-inbox [--port 9090] [--folder webhook-inbox] [--key whsec_…|whpk_…] [--token T] [--forward http://…]
tideline webhook-inbox list [--folder webhook-inbox] [--json]
tideline webhook-inbox again (N… | all) --to http://… [--folder webhook-inbox] [--key whsec_…] [--json]

Receives notifications on this machine, at any path of http://127.0.0.1:PORT, and keeps each as a file of the folder, readable by
its owner alone. With --key, as receiver set printed it, each signature is checked: what is not signed by it in the last five
minutes is answered 400. With --forward each message goes on, byte for byte, to the program under development, whose answer is
passed back. The address itself is a page with all messages, on which each is sent again by a button.
again sends kept messages once more; with a whsec_ key signed anew, as of now.
`;

const text = { type: "string" } as const;
const folder = { type: "string", default: "webhook-inbox" } as const;

export async function run(argv: string[]): Promise<number> {
  const [verb, ...rest] = argv;
  if (verb === "list") return await list(rest);
  if (verb === "again") return await again(rest);
  return await receive(argv);
}

/** Until it is stopped. */
async function receive(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    port: { type: "string", default: "9090" },
    folder,
    key: text,
    token: text,
    forward: text,
  });
  if (positionals.length > 0)
    usageError(`There is no "tideline webhook-inbox ${positionals[0] ?? ""}"; there are list and again.`);
  const inbox = await openInbox({
    port: readCount(values.port, "--port", 0, 65_535),
    folder: values.folder,
    key: keyOf(values.key),
    token: values.token ?? null,
    forwardTo: values.forward === undefined ? null : addressOf(values.forward, "--forward"),
    report: (message) => {
      const { number, verdict, answered, headers } = message;
      const line = { number, type: typeOf(message), id: headers["webhook-id"] ?? null, signature: verdict, answered };
      process.stdout.write(`${JSON.stringify(line)}\n`);
    },
  });
  process.stderr.write(`Receiving at ${inbox.url}/notifications; all messages: ${inbox.url}/. Ctrl-C stops it.\n`);
  const { signal, release } = listenForInterrupt();
  if (!signal.aborted) await once(signal, "abort");
  await inbox.close();
  release();
  return exitCode.done;
}

async function list(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, { folder, json: { type: "boolean", default: false } });
  const messages = await readInbox(values.folder);
  const rows = messages.map((one) => [String(one.number), one.receivedAt, typeOf(one), one.verdict, `${one.answered}`]);
  const head = ["NO", "RECEIVED", "TYPE", "SIGNATURE", "ANSWERED"];
  printResult(values.json, messages, rows.length === 0 ? ["Nothing."] : alignColumns([head, ...rows]));
  return exitCode.done;
}

async function again(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    folder,
    to: text,
    key: text,
    json: { type: "boolean", default: false },
  });
  const to = addressOf(required(values.to, "--to"), "--to");
  const key = keyOf(values.key);
  const messages = await readInbox(values.folder);
  if (positionals.length === 0) usageError("Name the messages by their numbers, or all.");
  const wanted = positionals.includes("all")
    ? messages
    : positionals.map(
        (number) =>
          messages.find((one) => String(one.number) === number) ??
          usageError(`There is no message ${number} in ${values.folder}.`),
      );
  const sent: { number: number; status: number }[] = [];
  // One after the other: notifications of a user have an order.
  for (const message of wanted) sent.push({ number: message.number, status: await sendAgain(message, to, key) });
  const lines = sent.map(({ number, status }) => `${number}: ${status === 0 ? "nobody answered" : status}`);
  printResult(values.json, sent, lines);
  return sent.every(({ status }) => status >= 200 && status < 300) ? exitCode.done : exitCode.refused;
}

function keyOf(key: string | undefined): string | null {
  if (key !== undefined && !/^(whsec|whpk)_[A-Za-z0-9+/]{16,}={0,2}$/.test(key))
    usageError("--key must be a key that begins with whsec_ or whpk_, as notifications receiver set prints it.");
  return key ?? null;
}

function addressOf(value: string, option: string): string {
  const protocol = URL.canParse(value) ? new URL(value).protocol : "";
  return protocol === "http:" || protocol === "https:"
    ? value
    : usageError(`${option} must be an address starting with http:// or https://, not "${value}".`);
}
