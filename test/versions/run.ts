/**
 * Do ids stay when the algorithm is replaced? npm run ids -- [SOURCE]… [--against COMMIT] [--list] [--min PERCENT]
 *
 * An earlier version of the algorithm, taken out of the project's history, recognises every user from nothing. Today's
 * then runs on the day after, with what the earlier one would have stored, as it does once it is installed; and each
 * service of before is looked for among those of now, by its payments and, since the users' obligations are known, by its
 * payee. SOURCE is generated:USERSxMONTHS[:SEED], messy-CC:USERSxMONTHS[:SEED] or a labelled folder. COMMIT is by default
 * the one before the algorithm's version was last raised. --list names what changed. Ends with 1 when of the services (or of
 * the income) that are found again fewer than PERCENT keep their ids, by default 99.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import { generateLabelled, type LabelledUser, readLabelled } from "../../src/evaluation/labelled.ts";
import { addIds, compareIds, type IdTally, noIds, shareKept } from "./ids.ts";
import { replaced, today, type Version } from "./replaced.ts";

const versionFile = "src/recognition/version.ts";
const project = path.resolve(import.meta.dirname, "../..");
const sourcesDefault = ["generated:100x25", "messy-DE:40x25", "messy-GB:40x25", "messy-SE:40x25"];
const generatedPattern = /^(?:generated|messy-([A-Z]{2})):(\d+)x(\d+)(?::(\d+))?$/;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    against: { type: "string" },
    list: { type: "boolean", default: false },
    min: { type: "string", default: "99" },
  },
});

const commit = values.against ?? (await commitBefore());
const folder = await mkdtemp(path.join(tmpdir(), "tideline-version-"));
try {
  const earlier = await versionAt(commit, folder);
  console.log(
    `${commit.slice(0, 12)} with version ${earlier.algorithmVersion} against version ${today.algorithmVersion}`,
  );
  const shares: number[] = [];
  for (const source of positionals.length === 0 ? sourcesDefault : positionals)
    shares.push(...(await compareSource(source, earlier)));
  if (shares.some((share) => share * 100 < Number(values.min))) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** @returns the shares of ids that stayed, of services and of income. */
async function compareSource(source: string, earlier: Version): Promise<number[]> {
  let [services, income, users] = [noIds, noIds, 0];
  for await (const user of usersOf(source)) {
    const { before, after } = replaced(user, earlier, today);
    const series = user.labels.map(({ txids }) => txids);
    const [ofServices, ofIncome] = [
      compareIds(before.services, after.services, series),
      compareIds(before.income, after.income, series),
    ];
    services = addIds(services, ofServices.tally);
    income = addIds(income, ofIncome.tally);
    users += 1;
    if (values.list)
      for (const { from, into } of [...ofServices.changed, ...ofIncome.changed])
        console.log(`  ${user.uid}: ${from} is ${into} now`);
  }
  console.log(`${source}, ${users} users`);
  tell("services", services);
  tell("income", income);
  return [shareKept(services), shareKept(income)];
}

function tell(what: string, tally: IdTally): void {
  const { same, changed, merged, gone, fresh } = tally;
  if (same + changed + merged + gone === 0) console.log(`  ${what}: none before, ${fresh} now`);
  else
    console.log(
      `  ${what}: ${same + changed + merged + gone} before; ${same} keep their ids, ${changed} have another one ` +
        `(${(shareKept(tally) * 100).toFixed(2)} % of those found again stay), ${merged} went into others, ${gone} are gone, ${fresh} are new`,
    );
}

function usersOf(source: string): Iterable<LabelledUser> | AsyncIterable<LabelledUser> {
  const generated = generatedPattern.exec(source);
  if (generated === null) return readLabelled(source);
  const [, messy, users, months, seed] = generated;
  return generateLabelled({
    users: Number(users),
    months: Number(months),
    seed: Number(seed ?? 1),
    messy: messy ?? null,
    until: "2026-06-30",
  });
}

/** Behind which the version was raised: the last commit where that is not committed yet, else the one before it. */
async function commitBefore(): Promise<string> {
  const isRaised = (await git("diff", "--name-only", "HEAD", "--", versionFile)).trim() !== "";
  if (isRaised) return (await git("rev-parse", "HEAD")).trim();
  const raised = (await git("log", "-1", "--format=%H", "-G", "algorithmVersion = ", "--", versionFile)).trim();
  if (raised === "")
    throw new Error("the project's history does not tell when the version was raised: --against COMMIT");
  return (await git("rev-parse", `${raised}^`)).trim();
}

async function git(...args: string[]): Promise<string> {
  return (await promisify(execFile)("git", args, { cwd: project })).stdout;
}

/** The algorithm as it was, out of a copy of the project beside today's packages. */
async function versionAt(from: string, into: string): Promise<Version> {
  const archive = path.join(into, "version.tar");
  await git("archive", "--format=tar", `--output=${archive}`, from, "package.json", "src", "config");
  await promisify(execFile)("tar", ["-xf", archive, "-C", into]);
  await symlink(path.join(project, "node_modules"), path.join(into, "node_modules"));
  const load = async (file: string): Promise<unknown> => await import(path.join(into, file));
  const { assess: assessThen } = (await load("src/recognition/assess.ts")) as Pick<Version, "assess">;
  const { algorithmVersion: then } = (await load(versionFile)) as Pick<Version, "algorithmVersion">;
  return { assess: assessThen, algorithmVersion: then };
}
