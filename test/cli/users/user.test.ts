/** `tideline user` and `tideline approvals`: an operator's users, and what he may not do alone. */
import { userInfo } from "node:os";
import test from "ava";
import { decide } from "../../../src/operations/approvals.ts";
import { carryOut } from "../../../src/operations/carry-out.ts";
import { putBrand, putPartner } from "../../../src/partners/provisioning.ts";
import { createTestDatabase } from "../../world.ts";
import { openCommandLine } from "../command.ts";

test("an operator lists, creates, shows, deletes and erases a partner's users, with another's word where it is guarded", async (t) => {
  const { url, database } = await createTestDatabase(t);
  await putPartner(database, { id: "north", name: "North" });
  const zone = { country: "DK", currency: "DKK", timeZone: "Europe/Copenhagen", locale: "da-DK" };
  await putBrand(database, "north", { id: "north-dk", ...zone });
  const { tideline } = await openCommandLine(t, url);
  const ofNorth = ["--partner", "north", "--json"];
  const create = (user: string, more: string[] = []) =>
    tideline("user", "create", ...ofNorth, "--user", user, "--brand", "north-dk", "--locale", "da-DK", ...more);
  for (const user of ["bert", "anna", "carl"]) t.is((await create(user)).code, 0);
  t.is((await create("anna")).code, 2);
  const listed = JSON.parse((await tideline("user", "list", ...ofNorth, "--after", "anna")).stdout) as {
    bankUserId: string;
  }[];
  t.deepEqual(
    listed.map(({ bankUserId }) => bankUserId),
    ["bert", "carl"],
  );
  t.is((await tideline("user", "delete", ...ofNorth, "--user", "bert")).code, 0);
  t.is((await tideline("user", "delete", ...ofNorth, "--user", "bert")).code, 1);
  const shown = JSON.parse((await tideline("user", "show", ...ofNorth, "--user", "bert")).stdout) as {
    registrations: { deletedAt: string | null }[];
  };
  t.truthy(shown.registrations[0]?.deletedAt);

  const preview = JSON.parse(
    (await tideline("user", "erase", ...ofNorth, "--user", "bert", "--dry-run")).stdout,
  ) as object;
  t.like(preview, { dryRun: true, rows: 1, tables: [{ name: "users", rows: 1 }] });
  t.is((await tideline("user", "erase", ...ofNorth, "--user", "bert")).code, 2);
  const erased = JSON.parse(
    (await tideline("user", "erase", ...ofNorth, "--user", "bert", "--force")).stdout,
  ) as object;
  t.like(erased, { erased: true, rows: 1 });

  t.is((await tideline("approvals", "guard", "erase")).code, 0);
  const alone = await tideline("user", "erase", ...ofNorth, "--user", "anna", "--force");
  t.is(alone.code, 1);
  t.like(JSON.parse(alone.stderr), { error: { code: "APPROVAL_NEEDED" } });
  const asked = await tideline("user", "erase", ...ofNorth, "--user", "anna", "--reason", "her own wish");
  t.is(asked.code, 3);
  const { approval } = JSON.parse(asked.stdout) as { approval: { id: string; requestedBy: string } };
  t.is(approval.requestedBy, `cli:${userInfo().username}`);
  const own = await tideline("approvals", "confirm", approval.id, "--json");
  t.like(JSON.parse(own.stderr), { error: { code: "APPROVAL_REFUSED" } });
  const waiting = JSON.parse((await tideline("approvals", "--json")).stdout) as { approvals: { id: string }[] };
  t.deepEqual(
    waiting.approvals.map(({ id }) => id),
    [approval.id],
  );
  const decided = await decide(database, "cli:another", { id: approval.id, verdict: "confirm" });
  if (decided.outcome !== "decided") return t.fail(decided.why);
  const ring = async () => Buffer.alloc(32);
  await carryOut({ database, actor: "cli:another", ring, enqueue: async () => {} }, decided.approval);
  const { rows } = await database.query<{ bankUserId: string }>('select bank_user_id as "bankUserId" from users');
  t.deepEqual(rows, [{ bankUserId: "carl" }]);

  t.is((await tideline("approvals", "unguard", "erase")).code, 1);
  t.is((await tideline("approvals", "unguard", "erase", "--reason", "one is enough")).code, 3);
  t.is((await tideline("user", "erase", ...ofNorth, "--user", "carl", "--force")).code, 1);
});
