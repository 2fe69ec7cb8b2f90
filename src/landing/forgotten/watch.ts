/** Notices that another database serves than the vault was filled with, or an older state of it, and takes up what it forgot. */
import { type Database, inTransaction } from "../../database/database.ts";
import { type Finding, readHistory, readNote, writeNote } from "./history.ts";
import { type Found, type Options, reconcile, type Reconciling } from "./reconcile.ts";

/** Looks, and acts only where the database does not go on from where it was. Null: it does, or another process acts. */
export async function reconcileWhenBehind(reconciling: Reconciling): Promise<Found[] | null> {
  const { database, vault } = reconciling;
  const note = await readNote(vault.directory);
  const { history, position, goesOn } = await readHistory(database, note);
  if (!goesOn) return await reconcileNow(reconciling);
  if (note?.position !== position) await writeNote(vault.directory, { ...note, history, position });
  return null;
}

/** Takes up what is found, tells it and notes it. Null: another process is at it. */
export async function reconcileNow(reconciling: Reconciling, options: Options = {}): Promise<Found[] | null> {
  return await alone(reconciling.database, async () => {
    const { database, vault } = reconciling;
    const { history, position } = await readHistory(database, null);
    const found = await reconcile(reconciling, options);
    if (options.dryRun === true) return found;
    const finding = summarise(found);
    const isNews = finding.takenUp + finding.cameAgain + finding.left > 0;
    const note = await readNote(vault.directory);
    const last = isNews ? finding : note?.last;
    await writeNote(vault.directory, { history, position, ...(last === undefined ? {} : { last }) });
    tell(reconciling, found, finding);
    return found;
  });
}

/** Without what was never acknowledged: of that nothing was lost. */
export function summarise(found: readonly Found[]): Finding {
  const count = (outcome: Found["outcome"]) =>
    found.filter((one) => one.outcome === outcome && one.reason !== "unacknowledged").length;
  return {
    at: new Date().toISOString(),
    takenUp: count("takenUp"),
    cameAgain: count("cameAgain"),
    left: count("left"),
  };
}

/** Between which moments the database forgets, as far as files tell; null where nothing was found. */
export function spanOf(found: readonly Found[]): { from: string; until: string } | null {
  const times = found
    .filter(({ reason }) => reason !== "unacknowledged")
    .flatMap(({ acceptedAt }) => acceptedAt ?? [])
    .sort();
  const [from, until] = [times[0], times.at(-1)];
  return from === undefined || until === undefined ? null : { from, until };
}

function tell({ events }: Reconciling, found: readonly Found[], { takenUp, cameAgain, left }: Finding): void {
  const span = spanOf(found) ?? { from: "", until: "" };
  if (takenUp + cameAgain > 0)
    events.emit("vault.taken-up", { files: takenUp, cameAgain, acceptedFrom: span.from, acceptedUntil: span.until });
  if (left > 0) events.emit("vault.unclaimed", { files: left });
}

/** The row's id holds what is taken up to one time; this spares a second process the work, and the telling. */
async function alone<Result>(database: Database, work: () => Promise<Result>): Promise<Result | null> {
  return await inTransaction(database, async (transaction) => {
    const { rows } = await transaction.query<{ mine: boolean }>(
      "select pg_try_advisory_xact_lock(hashtextextended('vault reconcile', 0)) as mine",
    );
    return rows[0]?.mine === true ? await work() : null;
  });
}
