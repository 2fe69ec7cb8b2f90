/** What attacks on applicants have in common: users with budgets, and what a report says. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { request } from "node:https";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import type { Partner } from "../outside/partner.ts";
import type { World } from "./attack.ts";
import { imported, push, year } from "./bank.ts";
import { newUser } from "./psd2.ts";

export type Applicant = { token: string; budgetId: string };

const madeWithinMs = 60_000;

/** A user with a year of salary and rent, and a budget that tells them. */
export async function newApplicant(
  world: World,
  partner: Partner,
  bankUserId: string,
  salary: number,
): Promise<Applicant> {
  const token = await newUser(partner, bankUserId);
  const pushed = await push(world, world.victim, partner, [...year(bankUserId, salary, 9_000), imported(bankUserId)]);
  if (pushed.status !== 201) throw new Error(`the history was answered with ${pushed.status}: ${pushed.text}`);
  const created = await partner.call("POST", "/budgets", { token });
  const budgetId = (JSON.parse(created.text) as { id: string }).id;
  for (const until = performance.now() + madeWithinMs; performance.now() < until; await wait(200)) {
    const { status, text } = await partner.call("GET", `/budgets/${budgetId}`, { token });
    if (status === 200 && (JSON.parse(text) as { totalMonthlyIncome: number }).totalMonthlyIncome > 0)
      return { token, budgetId };
  }
  throw new Error(`${bankUserId} has no budget with an income`);
}

export async function name(partner: Partner, own: Applicant, budgetId: string): Promise<void> {
  const body = { type: "SEPARATE_FINANCES", budgetId };
  const answer = await partner.call("POST", `/budgets/${own.budgetId}/coapplicants`, { token: own.token, body });
  if (answer.status !== 200) throw new Error(`naming was answered with ${answer.status}: ${answer.text}`);
}

/** The report's words, by poppler. */
export async function readReport(world: World, partner: Partner, own: Applicant): Promise<string> {
  const file = path.join(world.service.folder, `${own.budgetId}.pdf`);
  await writeFile(
    file,
    await download(world, `/partner/${partner.id}/2.0.0/budgets/${own.budgetId}/report`, own.token),
  );
  const { stdout } = await promisify(execFile)("pdftotext", ["-layout", file, "-"]);
  return stdout;
}

async function download(world: World, at: string, token: string): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept: "application/pdf" };
    const call = request(`${world.baseUrl}${at}`, { method: "POST", ca: world.authority, headers });
    call.once("error", reject);
    call.once("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("end", () =>
        response.statusCode === 200
          ? resolve(Buffer.concat(chunks))
          : reject(new Error(`the report was answered with ${response.statusCode}`)),
      );
    });
    call.end();
  });
}
