/** A null in an optional field is an absent field: in every request there is, as its schema in the OpenAPI document says. */
import { randomUUID } from "node:crypto";
import test from "ava";
import { withoutOptionalNulls } from "../../src/api/optional-nulls.ts";
import { openBudgets } from "./budget-world.ts";
import { operationsOf } from "./operations.ts";

type Schema = {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
};
type Json = Record<string, unknown>;
/** One optional field: its place, and an example of the whole body with that field as given, or without it. */
type Optional = { place: string; bodyWith(value: unknown): unknown };

const absent = Symbol("absent");

/** Every optional field at every depth, in each alternative that the schema allows. */
function optionalsOf(
  schema: Schema,
  example: unknown,
  place = "",
  put: (value: unknown) => unknown = same,
): Optional[] {
  if (schema.anyOf !== undefined)
    return schema.anyOf.flatMap((each) => (each.type === "null" ? [] : optionalsOf(each, example, place, put)));
  if (schema.items !== undefined) {
    const [first] = example as unknown[];
    return optionalsOf(schema.items, first, `${place}/0`, (value) => put([value]));
  }
  const { properties = {}, required = [] } = schema;
  const given = schema.type === "object" ? completed(schema, (example ?? {}) as Json) : {};
  return Object.entries(properties).flatMap(([name, property]) => {
    const at = `${place}/${name}`;
    const bodyWith = (value: unknown) => put(withField(given, name, value));
    const within = given[name] === undefined ? [] : optionalsOf(property, given[name], at, bodyWith);
    return required.includes(name) ? within : [{ place: at, bodyWith }, ...within];
  });
}

const same = (value: unknown): unknown => value;

function withField(object: Json, name: string, value: unknown): Json {
  const { [name]: _before, ...others } = object;
  return value === absent ? others : { ...others, [name]: value };
}

/** The example belongs to one alternative; another one may need a flag that it lacks. */
function completed({ properties = {}, required = [] }: Schema, example: Json): Json {
  const flags = required.filter((name) => !(name in example) && properties[name]?.type === "boolean");
  return { ...example, ...Object.fromEntries(flags.map((name) => [name, true])) };
}

test.serial("null in any optional field of any request is answered as if the field were not there", async (t) => {
  const { anna, call } = await openBudgets(t);
  const created = await call("POST", "/partner/north/2.0.0/budgets", { token: anna.token, body: {} });
  const { id: budgetId } = created.json as { id: string };
  const told: string[] = [];
  for (const operation of await operationsOf()) {
    if (operation.bodySchema === undefined) continue;
    const path = operation.path.replace("{partnerId}", "north").replace("{budgetId}", budgetId);
    const send = async (body: unknown) => {
      const fresh = operation.id === "createUser" ? { ...(body as Json), bankUserId: randomUUID() } : body;
      return await call(operation.method, path.replaceAll(/\{\w+\}/g, randomUUID()), {
        token: anna.token,
        body: fresh,
      });
    };
    for (const { place, bodyWith } of optionalsOf(operation.bodySchema as Schema, operation.bodyExample)) {
      const [without, withNull] = [await send(bodyWith(absent)), await send(bodyWith(null))];
      t.is(withNull.status, without.status, `${operation.id} ${place}: ${withNull.text}`);
      told.push(`${operation.id} ${place} ${withNull.status}`);
    }
  }
  // 404: the question and the transaction of the examples are nobody's.
  t.deepEqual(told.sort(), [
    "answerQuestion /amount 404",
    "answerQuestion /categories/0/amount 404",
    "answerQuestion /categories/0/paymentFrequency 404",
    "answerQuestion /paymentFrequency 404",
    "answerQuestion /serviceId 404",
    "answerQuestion /title 404",
    "answerQuestion /transactionId 404",
    "createBudget /userData 200",
    "createBudget /userData/transport/hasVehicle 200",
    "createBudget /userData/transport/hasVehile 200",
    "createUser /details 201",
    "initiatePsd2 /customerHint 200",
    "initiatePsd2 /redirectUrl 200",
    "makeBudgetReport /customerName 200",
    "makeBudgetReport /edition 200",
    "makeBudgetReport /reportId 200",
    "putAccountBalances /accounts/0/accountName 200",
    "requestReport /effectiveDate 200",
    "setBudgetDebts /calculationRate 200",
    "setBudgetUserData /transport/hasVehicle 200",
    "setBudgetUserData /transport/hasVehile 200",
    "setCoapplicant /budgetId 200",
    "submitCrowdsourcing /paymentFrequency 404",
  ]);
});

const schema = {
  properties: {
    note: { type: "string" },
    id: { type: "string" },
    list: { type: "array", items: { properties: { age: { type: "integer" } }, required: [] } },
    either: { anyOf: [{ type: "string" }, { type: "null" }] },
  },
  required: ["id"],
};

test("nulls stay where they mean something: required fields, fields that may be null, list items, unknown keys", (t) => {
  const given = { id: null, either: null, list: [null, { age: null }, { age: 3 }], unknown: null };
  t.deepEqual(withoutOptionalNulls(schema, given), { ...given, list: [null, {}, { age: 3 }] });
  t.deepEqual(withoutOptionalNulls(schema, { note: null, list: null }), {});
  t.is(withoutOptionalNulls(schema, null), null);
  t.is(withoutOptionalNulls(schema, "text"), "text");
});

test("a key that every object has is a key like any other", (t) => {
  t.deepEqual(
    withoutOptionalNulls(schema, JSON.parse('{"__proto__":null,"toString":null}')),
    JSON.parse('{"__proto__":null,"toString":null}'),
  );
});

test("what no schema speaks of may be nested deeper than calls go", (t) => {
  const depth = 200_000;
  const deep: unknown = JSON.parse(`${'{"a":'.repeat(depth)}null${"}".repeat(depth)}`);
  const schema = { properties: { named: { type: "string" } } };
  const { named, other } = withoutOptionalNulls(schema, { named: null, other: deep }) as Record<string, unknown>;
  t.is(named, undefined);
  t.true(other === deep);
});
