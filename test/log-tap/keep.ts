/**
 * Keeps what a Tideline told besides lines of a tapped log, where TIDELINE_TEST_LOGS names a folder: it would go with
 * its own.
 */
import { appendFile, copyFile, readdir, readFile } from "node:fs/promises";
import { request } from "node:https";
import path from "node:path";
import { text } from "node:stream/consumers";

const folder = process.env.TIDELINE_TEST_LOGS;
const answerWithinMs = 5_000;

/**
 * Receipts one a line, so that each is looked through as a log's entry is. @param landing the folder of all partners'
 */
export async function keepReceipts(name: string, landing: string): Promise<void> {
  if (!folder) return;
  const isReceipt = (file: string) => file.split(path.sep)[1] === "receipts" && file.endsWith(".json");
  const names = (await readdir(landing, { recursive: true })).filter(isReceipt);
  const lines = await Promise.all(
    names.map(async (file) => `${JSON.stringify(JSON.parse(await readFile(path.join(landing, file), "utf8")))}\n`),
  );
  if (lines.length > 0) await appendFile(path.join(folder, `receipts-${name}-${process.pid}.jsonl`), lines.join(""));
}

/** As Prometheus reads them, now. */
export async function keepMetrics(name: string, httpsPort: number): Promise<void> {
  if (!folder) return;
  await appendFile(path.join(folder, `metrics-${name}-${process.pid}.txt`), await readMetrics(httpsPort));
}

export async function keepLog(file: string): Promise<void> {
  if (folder) await copyFile(file, path.join(folder, `${path.basename(path.dirname(file))}-${path.basename(file)}`));
}

function readMetrics(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    // Its certificate is its own, made for this run.
    const asked = request(
      { host: "localhost", port, path: "/metrics", rejectUnauthorized: false, agent: false, timeout: answerWithinMs },
      (response) => text(response).then(resolve, reject),
    );
    asked.once("timeout", () => asked.destroy(new Error("no metrics in time")));
    asked.once("error", reject).end();
  });
}
