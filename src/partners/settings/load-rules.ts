/** How a partner's deliveries are loaded beside those of others: `settings.load`, with its defaults. */
import { recordsPerSecondMax, weightMax } from "../../../config/staging.ts";
import { describe, fits } from "./described.ts";

const loadSettings = describe((Type) => {
  const upTo = (maximum: number) => Type.Optional(Type.Integer({ minimum: 1, maximum }));
  return Type.Object({
    weight: upTo(weightMax),
    recordsPerSecond: upTo(recordsPerSecondMax),
    fileRecordsPerSecond: upTo(recordsPerSecondMax),
  });
});

export type LoadRules = { weight: number; recordsPerSecond: number | null; fileRecordsPerSecond: number | null };

/** Settings that are not usable, which no command writes, limit nothing: what was accepted must be loaded. */
export function readLoadRules(partnerSettings: object): LoadRules {
  const { load } = partnerSettings as { load?: unknown };
  const {
    weight = 1,
    recordsPerSecond = null,
    fileRecordsPerSecond = null,
  } = load !== undefined && fits(loadSettings, load) ? load : {};
  return { weight, recordsPerSecond, fileRecordsPerSecond };
}
