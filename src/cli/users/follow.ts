/** `tideline export --follow`: the change feed of one follower, to a file, a pipe or a webhook, until it is stopped. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { feedPauseMs, feedRetryMsMax, feedRetryMsMin } from "../../../config/feed.ts";
import type { Transaction } from "../../database/database.ts";
import { Fault } from "../../errors.ts";
import { tellChanges } from "../../exports/feed.ts";
import {
  type FeedMessage,
  openFeedFile,
  openFeedMessages,
  openFeedOutput,
  type OpenFeedTarget,
} from "../../exports/feed-targets.ts";
import {
  addFollower,
  claimFollower,
  type FeedPlace,
  findFollower,
  type Follower,
  isFollowerName,
  listFollowers,
  moveFollower,
  placeText,
  putSigningKey,
  readPlace,
  readSigningKey,
  removeFollower,
  type SigningKey,
} from "../../exports/followers.ts";
import { call, type Guard, RequestFailure } from "../../machine/guarded-request.ts";
import { makeSigningKey, signings, verificationKeyOf } from "../../notifications/receiver.ts";
import { signatureHeaders } from "../../notifications/signature.ts";
import { commandLineActor, recordAudit } from "../../partners/audit.ts";
import { partnerExists } from "../../partners/overview.ts";
import { type Session, withSession } from "../service/session.ts";
import { configOf, oneOf, required, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { listenForInterrupt } from "../terminal/interrupt.ts";
import { startProgress } from "../terminal/progress.ts";
import { alignColumns, countOf, formatCount, printResult } from "../terminal/result.ts";
import type { Values } from "./export-rows.ts";

/** A place that nothing moved is written down now and then, so that what others changed is not looked at again. */
const placeEveryMs = 60_000;

export async function followChanges(name: string, values: Values): Promise<number> {
  const to = required(values.to, "--to");
  const unmasked = unmaskedOf(values);
  assertFollowable(name, values);
  const interrupt = listenForInterrupt();
  const progress = startProgress({ label: `feed of ${name}`, unit: "changes", silent: values.json || to === "-" });
  try {
    return await withSession(configOf(values), async (session) => {
      const connection = await session.database.connect();
      try {
        await claimFollower(connection, name);
        const follower = await followerOf(session, name, values);
        await recordAudit(session.database, commandLineActor(), {
          partnerId: follower.partnerId,
          event: "data.exported",
          details: { dataset: "changes", follower: name, unmasked, reason: values.reason ?? null },
        });
        const target = await openTarget(session, name, to, values);
        try {
          let lines = 0;
          const following: Following = { session, connection, follower, target, unmasked, signal: interrupt.signal };
          const place = await follow(following, values.once, (more, position) => {
            lines += more;
            progress.update(lines, null, `up to ${position}`);
          });
          progress.stop();
          return report(name, { lines, position: placeText(place) }, to, values);
        } finally {
          await target.close();
        }
      } finally {
        connection.release(true);
      }
    });
  } finally {
    progress.stop();
    interrupt.release();
  }
}

function unmaskedOf(values: Values): boolean {
  if (values.unmasked !== (values.reason !== undefined))
    usageError("--unmasked needs --reason TEXT, which the audit trail keeps, and only with it.");
  return values.unmasked;
}

function assertFollowable(name: string, values: Values): void {
  if (!isFollowerName(name))
    usageError(`--follow must be a name of small letters, digits, ".", "_" and "-", not "${name}".`);
  for (const option of ["user", "from", "until", "format", "seal", "out"] as const)
    if (values[option] !== undefined) usageError(`--${option} is not for --follow.`);
}

/** Known by its name, or from now on. */
async function followerOf({ database }: Session, name: string, values: Values): Promise<Follower> {
  const known = await findFollower(database, name);
  const partnerId = values.partner ?? null;
  if (known !== null && values.partner !== undefined && known.partnerId !== partnerId)
    usageError(`${name} follows ${known.partnerId ?? "every partner"}: give another name, or --unfollow it.`);
  const from = values["from-position"];
  if (from === undefined) return known ?? (await begin(database, name, partnerId));
  const place = readPlace(from) ?? usageError(`--from-position must be one of the feed's positions, not "${from}".`);
  if (known === null) usageError(`${name} does not follow yet, and begins with what changes from now on.`);
  await moveFollower(database, name, place);
  return { ...known, ...place };
}

async function begin(database: Session["database"], name: string, partnerId: string | null): Promise<Follower> {
  if (partnerId !== null && !(await partnerExists(database, partnerId)))
    throw new Fault("NOT_FOUND", `There is no partner "${partnerId}".`);
  for (;;) {
    const added = await addFollower(database, { name, partnerId });
    if (added !== null) {
      process.stderr.write(`${name} follows what changes from now on.\n`);
      return added;
    }
    process.stderr.write("A load has to end first; asking again.\n");
    await pause(feedPauseMs);
  }
}

async function openTarget(session: Session, name: string, to: string, values: Values): Promise<OpenFeedTarget> {
  if (to === "-") return openFeedOutput(process.stdout);
  if (!/^https?:\/\//.test(to)) return await openFeedFile(path.resolve(to));
  const allowsPrivateAddresses = values["allow-private-addresses"];
  if (!URL.canParse(to) || (to.startsWith("http:") && !allowsPrivateAddresses))
    usageError(`--to must be an address starting with https://, not "${to}".`);
  const authorityFile = values["authority-file"];
  const authority = authorityFile === undefined ? undefined : await readFile(authorityFile, "utf8");
  const signingKey = await signingKeyOf(session, name, values.signing);
  const guard = { allowsPrivateAddresses, authority, clientCertificate: undefined };
  return openFeedMessages(name, (message) => send(new URL(to), guard, signingKey, message));
}

/** Made once, and told then. */
async function signingKeyOf({ database, ...session }: Session, name: string, asked?: string): Promise<SigningKey> {
  const ring = await session.keyEncryptionKey();
  const wanted = asked === undefined ? null : oneOf(asked, signings, "--signing");
  const known = await readSigningKey(database, ring, name);
  if (known !== null && (wanted === null || wanted === known.signing)) return known;
  const signing = wanted ?? "hmac";
  const made = { signing, key: makeSigningKey(signing) };
  await putSigningKey(database, ring, name, made);
  process.stderr.write(`Signatures are checked with ${verificationKeyOf(signing, made.key)}\n`);
  return made;
}

/** A message that the receiver has not taken. */
class NotTaken extends Error {
  readonly retryAfterMs: number | null;

  constructor(why: string, retryAfterMs: number | null) {
    super(why);
    this.name = "NotTaken";
    this.retryAfterMs = retryAfterMs;
  }
}

async function send(url: URL, guard: Guard, { signing, key }: SigningKey, { id, body }: FeedMessage): Promise<void> {
  const headers = {
    "content-type": "application/json",
    accept: "application/json",
    "user-agent": "tideline",
    ...signatureHeaders({ signing, signingKey: key }, id, new Date(), body),
  };
  const answer = await call({ method: "POST", url, headers, body, needsStatusOnly: true }, guard).catch((error) => {
    if (error instanceof RequestFailure) throw new NotTaken(error.code, null);
    throw error;
  });
  if (answer.status >= 200 && answer.status < 300) return;
  const seconds = Number(answer.headers["retry-after"] ?? Number.NaN);
  throw new NotTaken(`HTTP ${answer.status}`, Number.isFinite(seconds) ? seconds * 1000 : null);
}

type Following = {
  session: Session;
  connection: Transaction;
  follower: Follower;
  target: OpenFeedTarget;
  unmasked: boolean;
  signal: AbortSignal;
};

/** Tells what there is and what comes, until it is stopped, or with `once` until nothing is left. */
async function follow(
  { session: { database }, connection, follower, target, unmasked, signal }: Following,
  once: boolean,
  tell: (lines: number, position: string) => void,
): Promise<FeedPlace> {
  let place = follower;
  let writtenAt = performance.now();
  let failures = 0;
  while (!signal.aborted) {
    try {
      const told = await tellChanges(connection, place, { unmasked }, target);
      failures = 0;
      place = { ...place, ...told.place };
      if (!told.isUpToDate || once || performance.now() - writtenAt > placeEveryMs) {
        await moveFollower(database, place.name, place);
        writtenAt = performance.now();
      }
      if (!told.isUpToDate) tell(told.lines, placeText(place));
      else if (once) return place;
      else await rest(feedPauseMs, signal);
    } catch (error) {
      if (!(error instanceof NotTaken)) throw error;
      failures += 1;
      const waitMs = Math.min(error.retryAfterMs ?? feedRetryMsMin * 2 ** (failures - 1), feedRetryMsMax);
      process.stderr.write(`Not taken (${error.message}); again in ${formatCount(Math.ceil(waitMs / 1000))} s.\n`);
      await rest(waitMs, signal);
    }
  }
  return place;
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch((error: Error) => {
    if (error.name !== "AbortError") throw error;
  });
}

function report(name: string, told: { lines: number; position: string }, to: string, { json, once }: Values): number {
  const line = `${countOf(told.lines, "change")}, up to ${told.position}.`;
  if (to === "-") process.stderr.write(`${line}\n`);
  else printResult(json, { follower: name, changes: told.lines, position: told.position }, [line]);
  return once ? exitCode.done : exitCode.interrupted;
}

export async function printFollowers(values: Values): Promise<number> {
  return await withSession(configOf(values), async (session) => {
    const followers = await listFollowers(session.database);
    const told = [];
    for (const { name, partnerId, xid, position, followedAt, takenAt, changes, waitingSince } of followers) {
      const key = values.json ? await verificationKey(session, name) : null;
      const place = placeText({ xid, position });
      told.push({ name, partnerId, position: place, followedAt, takenAt, changes, waitingSince, verificationKey: key });
    }
    const head = ["NAME", "PARTNER", "POSITION", "TAKEN", "WAITING", "SINCE"];
    const lines = told.map((one) => [
      one.name,
      one.partnerId ?? "every",
      one.position,
      one.takenAt?.toISOString() ?? "-",
      formatCount(one.changes),
      one.waitingSince?.toISOString() ?? "-",
    ]);
    printResult(values.json, told, told.length === 0 ? ["Nobody follows."] : alignColumns([head, ...lines]));
    return exitCode.done;
  });
}

async function verificationKey({ database, ...session }: Session, name: string): Promise<string | null> {
  const key = await readSigningKey(database, await session.keyEncryptionKey(), name);
  return key === null ? null : verificationKeyOf(key.signing, key.key);
}

export async function unfollow(name: string, values: Values): Promise<number> {
  return await withSession(configOf(values), async ({ database }) => {
    const known = await findFollower(database, name);
    if (known === null || !(await removeFollower(database, name)))
      throw new Fault("NOT_FOUND", `Nobody follows as ${name}.`);
    await recordAudit(database, commandLineActor(), {
      partnerId: known.partnerId,
      event: "data.unfollowed",
      details: { follower: name },
    });
    printResult(values.json, { follower: name }, [`${name} follows no more.`]);
    return exitCode.done;
  });
}
