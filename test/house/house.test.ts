/** The walls of the house: what rooms.ts, docs/architecture.md and src/README.md say of it, held against what it is. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import test from "ava";
import { roomTable, sentencesIn, tableIn } from "./readme.ts";
import { filesInFolderMax, innerWalls, leaves, linesInFileMax, retiredWords, rooms, catalogues } from "./rooms.ts";
import { circlesOf, packageOf, readTree, roomOf, root, type SourceFile, sourceFile } from "./tree.ts";

const tree = await readTree();
const outsideTests = tree.filter(({ path: file }) => !file.startsWith("test/"));
const product = outsideTests.filter(({ path: file }) => !file.startsWith("migrations/"));
const page = await readFile(path.join(root, "src/README.md"), "utf8");
const map = await readFile(path.join(root, "docs/architecture.md"), "utf8");

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
    const rankOf = (file: string) => order.findIndex((folder) => file.startsWith(`${room}/${folder}/`));
    const crossings = product.flatMap(({ path: file, imports }) =>
      imports.filter((to) => rankOf(file) >= 0 && rankOf(to) > rankOf(file)).map((to) => `${file} imports ${to}`),
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

test("no file but a catalogue is longer than one thing needs", (t) => {
  const long = tree.filter(({ text }) => text.split("\n").length - 1 > linesInFileMax).map(({ path: file }) => file);
  t.deepEqual(
    long.filter((file) => !catalogues.includes(file)),
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
const acrossRooms = [
  "attacks",
  "bench",
  "distribution",
  "drills",
  "faults",
  "fuzz",
  "house",
  "joined",
  "log-tap",
  "mutation",
  "outside",
  "vectors",
  "versions",
];

test("tests lie where what they test lies", async (t) => {
  const mirrored = (await foldersBelow("test")).filter((folder) => !acrossRooms.includes(folder.split("/")[1] ?? ""));
  const rooted = ["fixtures", "workers", "config", "deploy"];
  const origin = (folder: string) =>
    rooted.includes(folder.split("/")[1] ?? "") ? folder.slice("test/".length) : folder.replace(/^test/, "src");
  const real = new Set([
    ...(await foldersBelow("src")),
    ...(await foldersBelow("workers")),
    "workers",
    "fixtures",
    "config",
    "deploy",
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

/** Comments and quoted texts are prose, and may use every word; SQL in backticks is looked at, since its names are ours. */
const nameOrProse = /\/\*[\s\S]*?\*\/|\/\/.*|(["'])(?:\\.|(?!\1)[^\\\n])*\1|(?<name>[A-Za-z_$][\w$]*)/g;

/** "file: name" for each identifier, and each file's path, that has a retired word in it. */
function retiredIn(files: readonly SourceFile[]): string[] {
  const isRetired = (name: string) => retiredWords.some((word) => name.toLowerCase().includes(word));
  return files.flatMap(({ path: file, text }) => {
    const names = [...text.matchAll(nameOrProse)].map(({ groups }) => groups?.["name"] ?? "");
    return [file, ...new Set(names)].filter(isRetired).map((name) => `${file}: ${name}`);
  });
}

test("no name uses a word that was retired", (t) => {
  t.deepEqual(retiredIn(tree), []);
});

test("a retired word is found in names, and not in prose", (t) => {
  const text = '/** A stranger. */\nconst strangersMax = 1; // become\nconst other = "hollow";\n';
  t.deepEqual(retiredIn([sourceFile("src/a.ts", text), sourceFile("src/uncross.ts", "")]), [
    "src/a.ts: strangersMax",
    "src/uncross.ts: src/uncross.ts",
  ]);
});

test("the map in docs/architecture.md is the plan", (t) => {
  t.is(tableIn(map), roomTable(), "node test/house/write.ts writes it");
});

const sentences = sentencesIn(page);
const only = (does: "imports" | "reaches into") => sentences.filter((one) => one.does === does);

test("src/README.md says who alone imports what", (t) => {
  t.true(only("imports").length > 0);
  t.throws(() => sentencesIn("- No file but the brave opens it.\n"), { message: /cannot be checked/ });
});

for (const { sentence, files, what: imported } of only("imports")) {
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

/** Modules inside a package, and fields that it marks as its own by an underscore. */
function reachesOf({ text, insidePackages }: SourceFile): string[] {
  const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, "");
  const fields = code.matchAll(/(?<!\bthis|\.)\??\.(_[a-zA-Z]\w*)|(?<=(?<!\$)\{\s*)(_[a-zA-Z]\w*)(?=\s*[?:,}])/g);
  return [...insidePackages, ...[...fields].map(([, read, named]) => read ?? named ?? "")];
}

/** A Berlin Group API calls its links so, an in-toto statement its kind: these are data. */
const dataWithUnderscore: readonly string[] = ["_links", "_type"];

test("no file reaches into a library but those that src/README.md names", (t) => {
  const insides = only("reaches into");
  t.true(insides.length > 0);
  const named = insides.flatMap(({ files }) => files);
  const meant = insides.flatMap(({ what }) => what);
  const reaches = outsideTests
    .filter(({ path: file }) => !named.includes(file))
    .flatMap((file) =>
      reachesOf(file)
        .filter((one) => (one.startsWith("_") ? !dataWithUnderscore.includes(one) : meant.includes(packageOf(one))))
        .map((one) => `${file.path}: ${one}`),
    );
  t.deepEqual(reaches, []);
});

test("a reach into a library is named, however it is written", (t) => {
  const text = [
    'import kex from "ssh2/lib/protocol/kex.js";',
    'const { sendPacket } = createRequire(import.meta.url)("ssh2/lib/protocol/utils.js");',
    "const { _protocol: protocol } = client;",
    "protocol._cipher = cipher;",
    "const inside = client as unknown as { _font?: object };",
    "// document._security is left alone",
    "this._onPayload(payload);",
    "const text = `${_name}`;",
  ].join("\n");
  t.deepEqual(reachesOf(sourceFile("src/landing/door.ts", text)), [
    "ssh2/lib/protocol/kex.js",
    "ssh2/lib/protocol/utils.js",
    "_protocol",
    "_cipher",
    "_font",
  ]);
});

for (const { sentence, files, what } of only("reaches into")) {
  test(`it is so, said and tested: ${sentence.slice(2)}`, (t) => {
    for (const file of files) {
      const opening = /^\/\*\*[^]*?\*\//.exec(tree.find(({ path: one }) => one === file)?.text ?? "")?.[0] ?? "";
      for (const library of what) t.regex(opening, new RegExp(`\\b${library}\\b`), `${file} says so where it begins`);
      t.regex(opening, /\| what would replace it \|/, `${file} says what would replace it`);
      const tested = file.replace(/^src/, "test").replace(/\.ts$/, ".test.ts");
      t.true(
        tree.some(({ path: one }) => one === tested),
        `${tested} fails when the inside changes`,
      );
    }
  });
}
