/** Whose names the code speaks: its own in camelCase, and those of others only where names.ts says so. */
import test from "ava";
import { foreignNames, snakeNamesIn } from "./names.ts";
import { readTree } from "./tree.ts";

const files = (await readTree()).filter(({ path: file }) => /^(?:src|workers|config|fixtures)\//.test(file));
const named = [...snakeNamesIn(files)].filter(([, names]) => names.length > 0);
const isForeign = (file: string, where: string) => (where.endsWith("/") ? file.startsWith(where) : file === where);

test("rows and everything else are named in camelCase, but for fields that others have named", (t) => {
  t.deepEqual(
    named
      .filter(([file]) => !Object.keys(foreignNames).some((where) => isForeign(file, where)))
      .map(([file, names]) => `${file}: ${names.join(", ")}`),
    [],
  );
});

test("where others' names are allowed, there are some", (t) => {
  t.deepEqual(
    Object.keys(foreignNames).filter((where) => !named.some(([file]) => isForeign(file, where))),
    [],
  );
});

test("a property, its use and a variable in snake_case are seen; SQL and comments are not", (t) => {
  const text = `
    type Row = { user_id: number; time_zone?: string };
    // select due_at
    const { account_key } = row;
    const at = rows[0]?.due_at ?? /a_b/;
    query<Row>(\`select user_id as "userId", \${other.bank_id} from changed_users\`, "brand_id");
  `;
  t.deepEqual(
    [...snakeNamesIn([{ path: "src/a.ts", text }])],
    [["src/a.ts", ["user_id", "time_zone", "account_key", "due_at", "bank_id"]]],
  );
});
