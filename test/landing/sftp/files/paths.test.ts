/** Whatever path a client writes stays below its root, and temporary names are told from final ones. */
import test from "ava";
import {
  commonTemporaryNames,
  isTemporary,
  resolveVirtual,
  temporaryNamesOf,
} from "../../../../src/landing/sftp/files/paths.ts";
import fc from "../../../property.ts";

const resolved: Record<string, string> = {
  "": "/",
  ".": "/",
  inbox: "/inbox",
  "/inbox/": "/inbox",
  "inbox//a/./b.jwe": "/inbox/a/b.jwe",
  "..": "/",
  "/inbox/../..": "/",
  "../../../etc/passwd": "/etc/passwd",
  "/inbox/ä b.jwe": "/inbox/ä b.jwe",
  "/inbox/a\\..\\b": "/inbox/a\\..\\b",
};

for (const [path, expected] of Object.entries(resolved)) {
  test(`${JSON.stringify(path)} means ${JSON.stringify(expected)}`, (t) => {
    t.is(resolveVirtual(path), expected);
  });
}

test("whatever a client writes, the result is absolute and holds no dots to climb by", (t) => {
  const piece = fc.oneof(fc.constantFrom("..", ".", "/", "//", "inbox", "..."), fc.string({ maxLength: 5 }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      let path: string;
      try {
        path = resolveVirtual(pieces.join("/"));
      } catch {
        return;
      }
      t.true(path.startsWith("/"));
      t.false(path.split("/").some((name) => name === ".." || name === "."));
    }),
  );
});

const temporary: Record<string, boolean> = {
  "batch.jwe": false,
  "batch.jwe.tmp": true,
  "BATCH.JWE.TMP": true,
  "batch.part": true,
  "batch.jwe.filepart": true,
  ".batch.jwe": true,
  ".hidden/batch.jwe": false,
  tmp: false,
};

for (const [name, expected] of Object.entries(temporary)) {
  test(`${name} is ${expected ? "a temporary" : "a final"} name`, (t) => {
    t.is(isTemporary(name, commonTemporaryNames), expected);
  });
}

test("beginnings and ends of temporary names are told apart by their star", (t) => {
  const names = temporaryNamesOf(["up-*", "*.uploading"]);
  t.deepEqual(names, { prefixes: ["up-"], suffixes: [".uploading"] });
  t.deepEqual(
    ["up-day.jwe", "day.jwe.uploading", "day.jwe", "day.jwe.tmp"].map((name) => isTemporary(name, names)),
    [true, true, false, false],
  );
});
