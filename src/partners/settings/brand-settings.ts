/** What an operator may set for a brand, by the name that is written. Kept in brands.features. */
import { Fault } from "../../errors.ts";

type BrandSetting = {
  /** What it decides, and what holds when it is not set. */
  meaning: string;
  values: string;
  /** @throws Error whose message completes "must be …". */
  parse(text: string, isProduct: (id: string) => boolean): unknown;
};

export const brandSettings: Readonly<Record<string, BrandSetting>> = {
  crowdsourcing: {
    meaning: "whether users may call transactions subscriptions; default on",
    values: "on or off",
    parse: onOrOff,
  },
  fixedExpenseNotifications: {
    meaning: "whether payments of fixed expenses such as rent are notified like those of subscriptions; default off",
    values: "on or off",
    parse: onOrOff,
  },
  deepLink: {
    meaning:
      "address that notifications carry; {serviceId}, {budgetId}, {notificationType} are filled in; default none",
    values: "https address, empty for none",
    parse: deepLink,
  },
  budgetIncome: {
    meaning: "whether income is shown, in budgets with what it leaves and by itself; default on",
    values: "on or off",
    parse: onOrOff,
  },
  budgetRiskIndicators: {
    meaning: "whether budgets show risk indicators; default on",
    values: "on or off",
    parse: onOrOff,
  },
  budgetTargetPercent: {
    meaning: "share of the average expenses that must have a category before a budget is ready; default 90",
    values: "whole number from 1 to 100",
    parse: percent,
  },
  budgetIrregularIncomePercent: {
    meaning: "share of the lower of its three- and twelve-month means that an irregular income counts for; default 80",
    values: "whole number from 1 to 100",
    parse: percent,
  },
  coapplicantsRequireMirror: {
    meaning:
      "whether both applicants' budgets must name each other before they are linked; off: one names both, and only its own figures are told before the other has called too; default on",
    values: "on or off",
    parse: onOrOff,
  },
  recognitionVisiblePercent: {
    meaning: "from which confidence on a recurring payment is shown without asking the user; default 95",
    values: "whole number from 50 to 99, empty for the default",
    parse: confidence,
  },
  recognitionAskedPercent: {
    meaning: "from which confidence on the user is asked about three and more payments; default 67",
    values: "whole number from 50 to 99, empty for the default",
    parse: confidence,
  },
  recognitionRollout: {
    meaning:
      "whether a new version of recognition, and other thresholds, hold at once or are kept as a preview until they are put in force; default immediate",
    values: "immediate or preview",
    parse: rollout,
  },
  hiddenProducts: {
    meaning: "products of the catalogue that the brand does not show; default none",
    values: "list of product ids, empty for none",
    parse: productIds,
  },
};

/** @param assignments "name=value". @returns what is written. @throws Fault COMMAND_USAGE naming every problem */
export function readBrandSettings(
  assignments: readonly string[],
  isProduct: (id: string) => boolean,
): Record<string, unknown> {
  const problems: string[] = [];
  const features: Record<string, unknown> = {};
  for (const assignment of assignments) {
    const at = assignment.indexOf("=");
    const name = at < 0 ? assignment : assignment.slice(0, at);
    const setting = Object.hasOwn(brandSettings, name) ? brandSettings[name] : undefined;
    if (at < 0 || setting === undefined)
      problems.push(`${name} is not a brand's setting; there are ${Object.keys(brandSettings).join(", ")}`);
    else features[name] = parsed(name, setting, assignment.slice(at + 1), isProduct, problems);
  }
  if (problems.length > 0) throw new Fault("COMMAND_USAGE", `${problems.join("; ")}.`);
  return features;
}

function onOrOff(text: string): boolean {
  if (text !== "on" && text !== "off") throw new Error("on or off");
  return text === "on";
}

function rollout(text: string): string {
  if (text !== "immediate" && text !== "preview") throw new Error("immediate or preview");
  return text;
}

function deepLink(text: string): string | null {
  if (text === "") return null;
  if (!URL.canParse(text) || /^(javascript|data|file):/i.test(text))
    throw new Error("an address such as https://bank.example/subscriptions/{serviceId}");
  return text;
}

function percent(text: string): number {
  const value = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > 100) throw new Error("a whole number from 1 to 100");
  return value;
}

/** Below even odds it would be called one that more likely is none. */
function confidence(text: string): number | null {
  if (text === "") return null;
  const value = /^\d{2}$/.test(text) ? Number(text) : 0;
  if (value < 50) throw new Error("a whole number from 50 to 99, or empty");
  return value;
}

function productIds(text: string, isProduct: (id: string) => boolean): string[] {
  const ids = text
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "");
  const unknown = ids.filter((id) => !isProduct(id));
  if (unknown.length > 0) throw new Error(`ids of config/products.json, which has no ${unknown.join(", ")}`);
  return [...new Set(ids)];
}

function parsed(
  name: string,
  setting: BrandSetting,
  text: string,
  isProduct: (id: string) => boolean,
  problems: string[],
): unknown {
  try {
    return setting.parse(text, isProduct);
  } catch (error) {
    problems.push(`${name} must be ${error instanceof Error ? error.message : setting.values}`);
    return undefined;
  }
}
