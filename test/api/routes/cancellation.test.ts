/** A cancellation case goes from opened to confirmed or aborted, and later payments tell whether it held. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { ExecutionContext } from "ava";
import test from "ava";
import { run as runCancellation } from "../../../src/cli/recognition/cancellation.ts";
import { type Ran, openCommandLine } from "../../cli/command.ts";
import { type Customer, monthlyPaid, openRecognised, type RecognisedWorld } from "../recognised.ts";
import { partnerPath } from "../world.ts";

const months = ["2026-01", "2026-02", "2026-03", "2026-04", "2026-05", "2026-06"];

type Cancelling = { world: RecognisedWorld; anna: Customer; step(...parameters: string[]): Promise<Ran>; id: string };

async function openCancelling(t: ExecutionContext): Promise<Cancelling> {
  const world = await openRecognised(t);
  const { tideline } = await openCommandLine(t, world.url);
  const anna = await world.customer("anna", "2026-06-14", monthlyPaid("Sundby Motion", -199, months));
  const { id } = await anna.only();
  const step: Cancelling["step"] = async (verb = "", ...more) => {
    const ran = await tideline("cancellation", verb, id, ...more);
    await world.recogniseOn("2026-06-16");
    return ran;
  };
  return { world, anna, id, step };
}

test.serial("a case is opened, asks the user, is answered and confirmed; each state is told", async (t) => {
  const { world, anna, step, id } = await openCancelling(t);
  t.like(await anna.only(), {
    status: "ACTIVE",
    cancellationOption: "POSSIBLE",
    visibilityOption: "ASK_TO_HIDE",
    notifications: [],
  });

  t.is((await step("open", "--message", "Letter sent", "--equipment-back")).code, 0);
  t.like(await anna.only(), {
    id,
    status: "UNDER_CANCELLATION",
    visibilityOption: "HIDE",
    cancellationOption: "HIDE",
    userActionsRequired: [],
    notifications: [],
    cancellation: { directDebit: false, equipmentBack: true, moneyBack: false, freeTextMessage: "Letter sent" },
  });
  t.is((await upcoming(world, anna)).length, 1, "payments are due until the end");

  t.is((await step("ask", "--message", "Which customer number?")).code, 0);
  t.like(await anna.only(), {
    status: "UNDER_CANCELLATION",
    userActionsRequired: ["CANCELLATION_NEED_MORE_INFO"],
    notifications: ["CANCELLATION_MORE_INFORMATION_REQUIRED"],
  });
  t.is((await anna.only()).cancellation.freeTextMessage, "Which customer number?");

  t.is((await step("answer")).code, 0);
  t.like(await anna.only(), { status: "UNDER_CANCELLATION", userActionsRequired: [], notifications: [] });

  t.is((await step("confirm", "--end-date", "2026-06-30", "--confirmation", "Ends on 30 June")).code, 0);
  t.like(await anna.only(), {
    status: "CANCELLED",
    visibilityOption: "HIDE",
    cancellationOption: "HIDE",
    notifications: ["CANCELLATION_CONFIRMED"],
    cancellation: {
      directDebit: false,
      equipmentBack: true,
      moneyBack: false,
      freeTextMessage: "Which customer number?",
      confirmationContent: "Ends on 30 June",
      endDate: "2026-06-30",
    },
  });
  t.deepEqual(await upcoming(world, anna), []);
  await world.database.query("insert into changed_users select id from users");
  await world.recogniseOn("2026-08-01");
  t.deepEqual((await anna.only()).notifications, [], "thirty days later it is news no more");

  const { rows } = await world.database.query(
    "select event, partner_id, details from audit_events where event like 'cancellation.%' order by id",
  );
  t.deepEqual(rows, [
    { event: "cancellation.opened", partner_id: "north", details: { serviceId: id } },
    { event: "cancellation.information-asked", partner_id: "north", details: { serviceId: id } },
    { event: "cancellation.information-given", partner_id: "north", details: { serviceId: id } },
    { event: "cancellation.confirmed", partner_id: "north", details: { serviceId: id, endDate: "2026-06-30" } },
  ]);
});

test.serial(
  "payments until the end and shortly after leave it cancelled; one later is told, two in a row revive it",
  async (t) => {
    const { world, anna, step, id } = await openCancelling(t);
    await step("open");
    await step("confirm", "--end-date", "2026-07-03");
    await anna.pay([{ txid: "July", day: "2026-07-06", amount: -199, name: "Sundby Motion" }]);
    await world.recogniseOn("2026-07-10");
    t.like(await anna.only(), { status: "CANCELLED", notifications: ["NEW_PAYMENT", "CANCELLATION_CONFIRMED"] });
    await anna.pay([{ txid: "August", day: "2026-08-05", amount: -199, name: "Sundby Motion" }]);
    await world.recogniseOn("2026-08-20");
    t.like(await anna.only(), { id, status: "CANCELLED", notifications: ["NEW_PAYMENT_CANCELLED_SUBSCRIPTION"] });
    await anna.pay([{ txid: "September", day: "2026-09-05", amount: -199, name: "Sundby Motion" }]);
    await world.recogniseOn("2026-09-20");
    t.like(await anna.only(), {
      id,
      status: "ACTIVE",
      notifications: [],
      cancellation: { directDebit: false, equipmentBack: false, moneyBack: false },
      cancellationOption: "POSSIBLE",
    });
    t.is((await upcoming(world, anna)).length, 1);
    t.is((await step("open")).code, 0, "and it may be cancelled again");
    t.is((await anna.only()).status, "UNDER_CANCELLATION");
  },
);

test.serial("an aborted case tells its reason, and the service is what its payments say", async (t) => {
  const { world, anna, step } = await openCancelling(t);
  await step("open", "--end-date", "2026-06-20");
  t.deepEqual(await upcoming(world, anna), [], "nothing is due after the end");
  await step("ask", "--message", "Which one?");
  t.is((await step("abort", "--reason", "USER_NOT_RESPONDING")).code, 0);
  t.like(await anna.only(), {
    status: "ACTIVE",
    userActionsRequired: [],
    notifications: ["CANCELLATION_ABORTED"],
    cancellation: { abortReason: "USER_NOT_RESPONDING" },
  });
  await step("open");
  await world.recogniseOn("2026-09-01");
  await step("abort", "--reason", "CONTINUATION_DEAL");
  await world.database.query("insert into changed_users select id from users");
  await world.recogniseOn("2026-09-01");
  t.is((await anna.only()).status, "INACTIVE");
  t.is((await step("open")).code, 0, "an inactive one may be cancelled too");
});

test.serial("steps that the status does not allow, and what is misspelt, change nothing", async (t) => {
  const { world, anna, step, id } = await openCancelling(t);
  const { tideline, dataDir } = await openCommandLine(t, world.url);
  // As the running service leaves it for commands: these then run in this process.
  await writeFile(path.join(dataDir, "postgres-url"), world.url);
  const refuse = async (parameters: string[], code: string, message: RegExp) =>
    await t.throwsAsync(
      runCancellation([...parameters, "--data-dir", dataDir]),
      { code, message },
      parameters.join(" "),
    );
  for (const verb of ["answer", "confirm"]) await refuse([verb, id], "COMMAND_USAGE", /The service is ACTIVE/);
  await step("open");
  for (const [parameters, message] of [
    [["open", id], /UNDER_CANCELLATION: open needs one that is ACTIVE or INACTIVE/],
    [["abort", id], /--reason is missing/],
    [["abort", id, "--reason", "BORED"], /--reason must be one of USER_NOT_RESPONDING/],
    [["ask", id], /--message is missing/],
    [["confirm", id, "--end-date", "2026-02-30"], /--end-date must be a day/],
    [["open", id, "--reason", "USER_ABORTED"], /open takes no --reason/],
    [["confirm", "music"], /SERVICE must be/],
    [["stop", id], /There is no/],
  ] as const)
    await refuse([...parameters], "COMMAND_USAGE", message);
  await refuse(["open", "3f6a7c1e-58f1-5b0f-9a53-0d8c6f1f2a44"], "NOT_FOUND", /no service/);
  t.is((await anna.only()).status, "UNDER_CANCELLATION");
  t.regex((await tideline("cancellation", "list")).stdout, new RegExp(`${id}  north +anna  Sundby Motion  OPEN`));
  await step("abort", "--reason", "USER_ABORTED");
  t.is((await tideline("cancellation", "list")).stdout, "No case.\n");
  t.like((JSON.parse((await tideline("cancellation", "list", "--all", "--json")).stdout) as object[])[0], {
    state: "ABORTED",
    abortReason: "USER_ABORTED",
  });
});

async function upcoming(world: RecognisedWorld, { token }: Customer): Promise<unknown[]> {
  return (await world.call("GET", `${partnerPath}/upcoming-payments`, { token })).json as unknown[];
}
