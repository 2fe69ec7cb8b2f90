/**
 * A null in an optional field counts as absent: many clients write out every field that they know. Derived from the
 * schema, so that it holds for every request, at every depth, and for fields that are added later.
 */

/** What is looked at of a JSON schema; the validator judges the rest. */
type Node = {
  type?: unknown;
  properties?: Readonly<Record<string, Node>>;
  required?: readonly string[];
  items?: Node;
  anyOf?: readonly Node[];
};

/**
 * The value without the nulls of properties that the schema does not require and that may not be null. Nulls in
 * required properties, in lists and under unknown keys stay. The value itself is left as it was.
 */
export function withoutOptionalNulls(schema: object, value: unknown): unknown {
  return reduced(alternativesOf(schema), value);
}

function reduced(alternatives: readonly Node[], value: unknown): unknown {
  // What no schema speaks of stays as it is, and may be nested deeper than any call goes.
  if (alternatives.length === 0) return value;
  if (Array.isArray(value)) {
    const items = alternatives.flatMap(({ items: each }) => (each === undefined ? [] : alternativesOf(each)));
    return items.length === 0 ? value : value.map((item) => reduced(items, item));
  }
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name, one]) => one !== null || !isAbsentAsNull(alternatives, name));
  return Object.fromEntries(kept.map(([name, one]) => [name, reduced(propertyOf(alternatives, name), one)]));
}

/** Which of the alternatives is meant is not known yet: one that lets the property be absent is enough. */
function isAbsentAsNull(alternatives: readonly Node[], name: string): boolean {
  const isOptional = alternatives.some(
    ({ properties = {}, required = [] }) => Object.hasOwn(properties, name) && !required.includes(name),
  );
  return isOptional && !propertyOf(alternatives, name).some(({ type }) => type === "null");
}

function propertyOf(alternatives: readonly Node[], name: string): Node[] {
  return alternatives.flatMap(({ properties = {} }) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return property === undefined ? [] : alternativesOf(property);
  });
}

function alternativesOf(schema: Node): Node[] {
  return schema.anyOf === undefined ? [schema] : schema.anyOf.flatMap(alternativesOf);
}
