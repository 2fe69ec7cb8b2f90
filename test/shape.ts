/** What an object of a library looks like, for tests that an upgrade of the library is to fail. */

/** By name "function/2" with how many parameters it states, the class of an object, or the type of a value. */
export function shapeOf(object: object, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, describe((object as Record<string, unknown>)[name])]));
}

function describe(value: unknown): string {
  if (typeof value === "function") return `function/${value.length}`;
  return typeof value === "object" ? (value?.constructor.name ?? "null") : typeof value;
}
