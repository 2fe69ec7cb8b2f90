/**
 * What files and answers must hold for a sender to use them. A schema would have each sender, a program that ends soon,
 * read a library of 680 modules at its start: more than all the rest of what it reads.
 */
export type Shape<Value> = (value: unknown) => value is Value;

type Shapes<Fields> = { [Name in keyof Fields]: Shape<Fields[Name]> };

export const isText: Shape<string> = (value) => typeof value === "string";
export const isWholeNumber: Shape<number> = (value): value is number => Number.isInteger(value);

export function matches(pattern: RegExp): Shape<string> {
  return (value): value is string => typeof value === "string" && pattern.test(value);
}

export function listOf<Item>(isItem: Shape<Item>): Shape<Item[]> {
  return (value): value is Item[] => Array.isArray(value) && value.every((item) => isItem(item));
}

/** All of the needed fields, and of the others whichever are there. Whatever else it holds does not matter. */
export function holds<Needed, Others>(
  needed: Shapes<Needed>,
  others: Shapes<Others>,
): Shape<Needed & { [Name in keyof Others]?: Others[Name] }> {
  const areNeeded = Object.entries<Shape<unknown>>(needed);
  const areOthers = Object.entries<Shape<unknown>>(others);
  return (value): value is Needed & { [Name in keyof Others]?: Others[Name] } => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const fields = new Map<string, unknown>(Object.entries(value));
    return (
      areNeeded.every(([name, is]) => is(fields.get(name))) &&
      areOthers.every(([name, is]) => fields.get(name) === undefined || is(fields.get(name)))
    );
  };
}
