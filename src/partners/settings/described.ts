/**
 * Schemas of a partner's settings, which are made when the first value is held against them. Most partners leave most
 * settings out, and to read TypeBox, nearly seven hundred files, takes a command a quarter of a second of a processor.
 */
import { createRequire } from "node:module";
import type { Static, TSchema, Type } from "typebox";
import { Fault } from "../../errors.ts";

/** Settings are read where nothing can be waited for. */
const require = createRequire(import.meta.url);

export type Described<Schema extends TSchema> = () => Schema;

/** @param make is called once, at the first use */
export function describe<Schema extends TSchema>(make: (type: typeof Type) => Schema): Described<Schema> {
  let made: Schema | undefined;
  return () => (made ??= make((require("typebox") as typeof import("typebox")).Type));
}

export function fits<Schema extends TSchema>(schema: Described<Schema>, value: unknown): value is Static<Schema> {
  return values().Check(schema(), value);
}

/** The first thing that is wrong with a value; undefined where nothing is. */
export function firstMisfit(schema: Described<TSchema>, value: unknown) {
  return values().Errors(schema(), value)[0];
}

/** A group of settings; undefined where the partner has none. @throws Fault CONFIG_INVALID for one that does not fit */
export function readGroup<Schema extends TSchema>(
  partnerSettings: object,
  name: string,
  schema: Described<Schema>,
): Static<Schema> | undefined {
  const group = (partnerSettings as Record<string, unknown>)[name];
  if (group === undefined) return undefined;
  if (!fits(schema, group)) throw new Fault("CONFIG_INVALID", `The partner's ${name} settings are not usable.`);
  return group;
}

let read: typeof import("typebox/value") | undefined;

function values() {
  return (read ??= require("typebox/value") as typeof import("typebox/value"));
}
