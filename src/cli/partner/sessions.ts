/** Who is connected, what is used, what ends: the same as the console's pages of partners. */
import { listSessions } from "../../landing/sftp/open-sessions.ts";
import { readQuotaUse } from "../../landing/quota-use.ts";
import { disconnectSession } from "../../operations/sessions.ts";
import { commandLineActor } from "../../partners/audit.ts";
import { listEndings } from "../../partners/ends.ts";
import { partnerExists } from "../../partners/overview.ts";
import { Fault } from "../../errors.ts";
import { commonOptions, configOf, readArguments, required } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { alignColumns, formatCount, printResult } from "../terminal/result.ts";
import { withSession } from "../service/session.ts";
import { partnerOf } from "./change.ts";

const sessionsShownMax = 1000;
const endingsShownMax = 1000;
const endedShownDays = 30;
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export async function showSessionsCommand(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, commonOptions);
  const partnerId = partnerOf(positionals);
  return await withSession(configOf(values), async ({ database }) => {
    if (!(await partnerExists(database, partnerId)))
      throw new Fault("NOT_FOUND", `There is no partner "${partnerId}".`);
    const [sessions, quotas] = await Promise.all([
      listSessions(database, [partnerId], sessionsShownMax),
      readQuotaUse(database, partnerId),
    ]);
    const head = ["SESSION", "FROM", "SINCE", "MACHINE", "RECEIVED", "SENT", "DELIVERED", "UPLOADING"];
    const rows = sessions.map((one) => [
      one.id,
      one.address,
      one.since.toISOString().slice(0, 19),
      one.machine,
      formatCount(one.bytesReceived),
      formatCount(one.bytesSent),
      formatCount(one.filesDelivered),
      one.endedBy === null
        ? one.uploads.map(({ name, bytes }) => `${name} (${formatCount(bytes)})`).join(", ") || "-"
        : `is being ended by ${one.endedBy}`,
    ]);
    const used = quotas.map(({ quota, used: is, limit }) => `${quota} ${formatCount(is)} of ${formatCount(limit)}`);
    printResult(values.json, { sessions, quotas }, [
      `Used of quotas: ${used.join(", ")}`,
      ...(rows.length === 0 ? ["Nobody is connected."] : alignColumns([head, ...rows])),
    ]);
    return exitCode.done;
  });
}

export async function disconnectCommand(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, commonOptions);
  const partnerId = partnerOf(positionals);
  const sessionId = required(positionals[1], "SESSION");
  return await withSession(configOf(values), async ({ database }) => {
    const done =
      uuidPattern.test(sessionId) && (await disconnectSession(database, commandLineActor(), partnerId, sessionId));
    if (!done) throw new Fault("NOT_FOUND", `${partnerId} has no connection ${sessionId} any more.`);
    printResult(values.json, { partnerId, sessionId }, [
      "Its door ends it within seconds. The partner may log in again: suspend it, or remove the key, to keep it out.",
    ]);
    return exitCode.done;
  });
}

export async function listEndingsCommand(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, commonOptions);
  return await withSession(configOf(values), async ({ database }) => {
    const endings = await listEndings(database, null, { pastDays: endedShownDays, limit: endingsShownMax });
    const head = ["ENDS", "PARTNER", "KIND", "NAME", "FOLLOWED", "FINGERPRINT"];
    const rows = endings.map(({ endsAt, partnerId, kind, name, isFollowed, fingerprint }) => [
      endsAt.toISOString().slice(0, 16),
      partnerId,
      kind,
      name,
      isFollowed ? "yes" : "no",
      fingerprint,
    ]);
    printResult(values.json, endings, rows.length === 0 ? ["Nothing ends by itself."] : alignColumns([head, ...rows]));
    return exitCode.done;
  });
}
