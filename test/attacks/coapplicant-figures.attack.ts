/**
 * One applicant knows the other's budget id, and nothing more. Does the report of the first then tell what the second
 * earns, and can a third one cut the two apart by naming one of them?
 */
import type { Attack } from "./attack.ts";
import { name, newApplicant, readReport } from "./coapplicant.ts";

/** An amount that nobody else's figures have. */
const salary = 41_357;
const told = /41[.,\s\u00a0]?357/;

export const attack: Attack = {
  name: "coapplicant-figures",
  async succeeds(world) {
    const partner = await world.partner("north");
    const [anna, bo, mallory] = await Promise.all([
      newApplicant(world, partner, "anna", 30_000),
      newApplicant(world, partner, "bo", salary),
      newApplicant(world, partner, "mallory", 25_000),
    ]);

    await name(partner, mallory, bo.budgetId);
    const read = told.test(await readReport(world, partner, mallory));

    await name(partner, anna, bo.budgetId);
    await name(partner, bo, anna.budgetId);
    if (!told.test(await readReport(world, partner, anna))) throw new Error("two who both agreed have no page of both");
    await name(partner, mallory, anna.budgetId);
    const parted = !told.test(await readReport(world, partner, anna));

    const seen = `the other's income in the attacker's report: ${read ? "yes" : "no"}; a link of two others replaced: ${parted ? "yes" : "no"}`;
    return { succeeded: read || parted, seen };
  },
};
