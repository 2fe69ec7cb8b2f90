/**
 * A refused body names each place that is wrong once, also within alternatives, where the one that was meant is told.
 */
import test from "ava";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { fieldProblems } from "../../src/api/field-problems.ts";
import { UserDataRequestSchema } from "../../src/interface/user-data.ts";
import { userData } from "../budgets/household.ts";

const required = (pointer: string) => ({ pointer, message: "is required" });

test("each place is told once, and a missing key by where it should be", (t) => {
  const schema = Compile(
    Type.Object({
      "a/b": Type.String(),
      list: Type.Array(Type.Object({ id: Type.String({ minLength: 2, pattern: "^x" }) })),
    }),
  );
  t.deepEqual(
    fieldProblems(schema.Errors({ list: [{}, { id: "" }] })).map(({ pointer }) => pointer),
    ["/a~1b", "/list/0/id", "/list/1/id"],
  );
});

test("of alternatives the one that was meant is told: that of the value's type, else the one with the least wrong", (t) => {
  const amount = Type.Union([Type.Null(), Type.Object({ minor: Type.Integer(), currency: Type.String() })]);
  const schema = Compile(Type.Array(Type.Object({ amount })));
  t.deepEqual(
    fieldProblems(schema.Errors([{ amount: null }, { amount: { minor: 0.5 } }, { amount: {} }])).map(
      ({ pointer }) => pointer,
    ),
    ["/1/amount/currency", "/1/amount/minor", "/2/amount/minor", "/2/amount/currency"],
  );
  t.deepEqual(fieldProblems(schema.Errors([{ amount: "12" }])), [{ pointer: "/0/amount", message: "must be null" }]);
});

test("an alternative within an alternative leaves the places of the one that was meant", (t) => {
  const inner = Type.Union([
    Type.Object({ kind: Type.Literal("a"), value: Type.Integer() }),
    Type.Object({ kind: Type.Literal("b"), text: Type.String() }),
  ]);
  const schema = Compile(
    Type.Union([Type.Object({ inner }), Type.Object({ first: Type.String(), second: Type.String() })]),
  );
  t.deepEqual(
    fieldProblems(schema.Errors({ inner: { kind: "b", text: 1 } })).map(({ pointer }) => pointer),
    ["/inner/text"],
  );
});

test("the vehicle's flag is asked for once, under its first name, and never beside other places", (t) => {
  const schema = Compile(UserDataRequestSchema);
  const told = (transport: unknown) => fieldProblems(schema.Errors({ ...userData, transport }));
  t.deepEqual(told({ vehicles: [] }), [required("/transport/hasVehicle")]);
  t.deepEqual(
    told({ vehicles: [{ ownership: "STOLEN" }], hasVehile: true }).map(({ pointer }) => pointer),
    ["/transport/vehicles/0/ownership"],
  );
  t.deepEqual(told({ hasVehicle: true }), [required("/transport/vehicles")]);
  t.deepEqual(
    told({ vehicles: [], hasVehicle: null, hasVehile: true }).map(({ pointer }) => pointer),
    ["/transport/hasVehicle"],
  );
  for (const flags of [{ hasVehicle: true }, { hasVehile: true }, { hasVehicle: false, hasVehile: true }])
    t.deepEqual(told({ vehicles: [], ...flags }), []);
});
