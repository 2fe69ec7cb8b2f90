/** The walls of the house: what rooms.ts and src/README.md say of it, held against what it is. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import test from "ava";
import { onlyImportersIn, roomTable, tableIn } from "./readme.ts";
import { filesInFolderMax, innerWalls, leaves, linesInFileMax, retiredWords, rooms, tables } from "./rooms.ts";
import { circlesOf, readTree, roomOf, root, type SourceFile, sourceFile } from "./tree.ts";

const tree = await readTree();
const outsideTests = tree.filter(({ path: file }) => !file.startsWith("test/"));
const product = outsideTests.filter(({ path: file }) => !file.startsWith("migrations/"));
const page = await readFile(path.join(root, "src/README.md"), "utf8");

/** "room → room: file imports file" for each import that the plan does not have. */
function crossingsOf(files: readonly SourceFile[]): string[] {
  const allowed = new Map(rooms.map(({ name, standsOn }) => [name, new Set([...leaves, ...standsOn])]));
  return files.flatMap((file) => {
    const from = roomOf(file.path);
    return file.imports
      .filter((to) => roomOf(to) !== from && allowed.get(from)?.has(roomOf(to)) !== true)
      .map((to) => `${from} → ${roomOf(to)}: ${file.path} imports ${to}`);
  });
}

test("every file lies in a room of the plan, and every room is there", (t) => {
  const names = rooms.map(({ name }) => name);
  t.deepEqual(
    [...new Set(product.map(({ path: file }) => roomOf(file)))].filter((room) => !names.includes(room)),
    [],
  );
  t.deepEqual(
    names.filter((name) => !product.some(({ path: file }) => roomOf(file) === name)),
    [],
  );
});

test("no room imports from one on which the plan does not let it stand, types included", (t) => {
  t.deepEqual(crossingsOf(product), []);
});

test("an import that the plan does not have is named", (t) => {
  const added = sourceFile(
    "src/recognition/run.ts",
    'import type { Snapshot } from "../budgets/engine/snapshot.ts";\n',
  );
  t.deepEqual(crossingsOf([added]), [
    "recognition → budgets: src/recognition/run.ts imports src/budgets/engine/snapshot.ts",
  ]);
  const lazily = sourceFile("src/interface/push.ts", 'const { openApi } = await import("../api/server.ts");\n');
  t.deepEqual(crossingsOf([lazily]), ["interface → api: src/interface/push.ts imports src/api/server.ts"]);
});

test("rooms stand on rooms below them, and on none without need", (t) => {
  rooms.forEach(({ name, standsOn }, at) => {
    const below = rooms.slice(0, at).map((room) => room.name);
    t.deepEqual(
      standsOn.filter((one) => !below.includes(one)),
      [],
      `${name} stands on a room above it`,
    );
    const used = new Set(
      product.filter((file) => roomOf(file.path) === name).flatMap(({ imports }) => imports.map(roomOf)),
    );
    t.deepEqual(
      standsOn.filter((one) => !used.has(one)),
      [],
      `${name} imports nothing from there any more`,
    );
  });
});

for (const { room, order } of innerWalls) {
  test(`within ${room}, ${order.join(", ")} stand on those before them`, (t) => {
    const placeOf = (file: string) => order.findIndex((folder) => file.startsWith(`${room}/${folder}/`));
    const crossings = product.flatMap(({ path: file, imports }) =>
      imports.filter((to) => placeOf(file) >= 0 && placeOf(to) > placeOf(file)).map((to) => `${file} imports ${to}`),
    );
    t.deepEqual(crossings, []);
  });
}

test("no files import each other in a circle", (t) => {
  t.deepEqual(circlesOf(tree), []);
  const tied = [sourceFile("src/a.ts", 'import "./b.ts";\n'), sourceFile("src/b.ts", 'import { c } from "./a.ts";\n')];
  t.deepEqual(circlesOf(tied), [["src/a.ts", "src/b.ts"]]);
});

test("every file says at its beginning what it is", (t) => {
  const silent = tree.filter(({ path: file, text }) => !/^(?:#!.*\n)?\/[/*]/.test(text) && !file.endsWith(".d.ts"));
  t.deepEqual(
    silent.map(({ path: file }) => file),
    [],
  );
});

test("no file but a table is longer than one thing needs", (t) => {
  const long = tree.filter(({ text }) => text.split("\n").length - 1 > linesInFileMax).map(({ path: file }) => file);
  t.deepEqual(
    long.filter((file) => !tables.includes(file)),
    [],
  );
});

test("no folder is a list that is too long to be seen through", async (t) => {
  for (const top of ["src", "workers"]) {
    for (const folder of [top, ...(await foldersBelow(top))]) {
      const files = (await readdir(path.join(root, folder), { withFileTypes: true })).filter((entry) => entry.isFile());
      t.true(files.length <= filesInFolderMax, `${folder} has ${files.length} files`);
    }
  }
});

/** Folders of tests that prove something across rooms, or are tools of the proofs. */
const acrossRooms = ["bench", "faults", "fuzz", "house", "log-tap", "mutation", "outside", "vectors"];

test("tests lie where what they test lies", async (t) => {
  const mirrored = (await foldersBelow("test")).filter((folder) => !acrossRooms.includes(folder.split("/")[1] ?? ""));
  const rooted = ["fixtures", "workers", "config"];
  const origin = (folder: string) =>
    rooted.includes(folder.split("/")[1] ?? "") ? folder.slice("test/".length) : folder.replace(/^test/, "src");
  const real = new Set([
    ...(await foldersBelow("src")),
    ...(await foldersBelow("workers")),
    "workers",
    "fixtures",
    "config",
  ]);
  t.deepEqual(
    mirrored.filter((folder) => !real.has(origin(folder))),
    [],
  );
});

async function foldersBelow(folder: string): Promise<string[]> {
  const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"));
}

test("no name uses a word that was retired", (t) => {
  const pattern = new RegExp(`\\b\\w*(?:${retiredWords.join("|")})\\w*\\b`, "gi");
  const files = tree.filter(({ path: file }) => file !== "test/house/rooms.ts");
  t.deepEqual(
    retiredWords.length === 0
      ? []
      : files.flatMap(({ path: file, text }) =>
          [...(text.match(pattern) ?? []), ...(file.match(pattern) ?? [])].map((name) => `${file}: ${name}`),
        ),
    [],
  );
});

test("the map in src/README.md is the plan", (t) => {
  t.is(tableIn(page), roomTable(), "node test/house/write.ts writes it");
});

const sentences = onlyImportersIn(page);

test("src/README.md says who alone imports what", (t) => {
  t.true(sentences.length > 0);
  t.throws(() => onlyImportersIn("- No file but the brave opens it.\n"), { message: /cannot be checked/ });
});

for (const { sentence, files, imported } of sentences) {
  test(`it is true: ${sentence.slice(2)}`, (t) => {
    const mayImport = (file: string) => files.some((one) => (one.endsWith("/") ? file.startsWith(one) : file === one));
    const isMeant = (name: string) => imported.some((one) => (one.endsWith("/") ? name.startsWith(one) : name === one));
    const importers = outsideTests.filter(({ imports, packages }) => [...imports, ...packages].some(isMeant));
    // Files in the folder that is meant import each other as they like.
    const foreign = importers.filter(({ path: file }) => !isMeant(file)).map(({ path: file }) => file);
    t.deepEqual(
      foreign.filter((file) => !mayImport(file)),
      [],
    );
    for (const one of files)
      t.true(
        foreign.some((file) => (one.endsWith("/") ? file.startsWith(one) : file === one)),
        `${one} does not import it any more`,
      );
  });
}
