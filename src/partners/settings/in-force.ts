/** A partner's settings as an operator looks at them: what holds, what would hold otherwise, and who changed it last. Pure. */
import type { AuditEvent } from "../audit.ts";
import { partnerSettings } from "./settings.ts";

export type SettingInForce = {
  name: string;
  meaning: string;
  /** What may be written: a unit, or choices. */
  values: string;
  /** What holds when it is not set, in words. */
  byDefault: string;
  /** Null: it is not set. */
  set: string | null;
  /** Null: nobody has, as far as the trail tells. */
  changed: { at: Date; actor: string } | null;
};

/** The event by which each change of settings stands in the trail, its details what was written by top-level name. */
export const settingsChanged = "partner.settings-changed";

/** @param changes of the partner, the latest first */
export function settingsInForce(
  settings: object,
  changes: readonly Pick<AuditEvent, "at" | "actor" | "details">[],
): SettingInForce[] {
  return Object.entries(partnerSettings).map(([name, setting]) => {
    const [meaning = "", byDefault = ""] = setting.meaning.split(/; default:? /);
    return {
      name,
      meaning,
      values: setting.values,
      byDefault: byDefault === "" ? "none" : byDefault,
      set: textOf(valueAt(settings, name)),
      changed: lastChangeOf(name, changes),
    };
  });
}

/** A change of a group names all of its members: only one that came out as something else was changed. */
function lastChangeOf(
  name: string,
  changes: readonly Pick<AuditEvent, "at" | "actor" | "details">[],
): SettingInForce["changed"] {
  const group = name.split(".")[0] ?? name;
  let [value, changed]: [string | null, SettingInForce["changed"]] = [null, null];
  for (const { at, actor, details } of changes.toReversed()) {
    if (!Object.hasOwn(details, group)) continue;
    const now = textOf(valueAt(details, name));
    if (now !== value) changed = { at, actor };
    value = now;
  }
  return changed;
}

function valueAt(settings: object, name: string): unknown {
  return name
    .split(".")
    .reduce<unknown>(
      (within, part) =>
        typeof within === "object" && within !== null && Object.hasOwn(within, part)
          ? (within as Readonly<Record<string, unknown>>)[part]
          : undefined,
      settings,
    );
}

function textOf(value: unknown): string | null {
  if (value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
