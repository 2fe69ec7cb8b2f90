/**
 * A file that a power cut must not empty is written by `machine/small-file.ts`. Whoever writes one otherwise stands here,
 * with why it may.
 */
import test from "ava";
import { readTree, type SourceFile, sourceFile } from "./tree.ts";

const writers: Readonly<Record<string, string>> = {
  "src/machine/small-file.ts": "the one way: temporary name, sync, rename, sync of the folder",
  "src/machine/data-folder.ts": "a lock whose content is worth nothing once its process is gone, and a probe",
  "src/deliveries/receipt-files/writing.ts":
    "receipts, synced and renamed; those of what just came or ended unsynced, and compared after an unclean stop",
  "src/landing/mend-kept.ts": "what an unclean stop took, synced beside the folder that partners see, then renamed",
  "workers/formats/kept-file.ts": "bytes that are durable beside their row, written again whenever they are missing",
  "src/vault/file-vault.ts":
    "bytes that are synced before anything is recorded; what lies beside them is replaced by rename, its folder synced once for all",
  "src/vault/object-store.ts":
    "copies of what a bucket has, synced before they get their name, and brought again when missing",
  "src/vault/probe.ts": "a probe of a bucket, in a temporary folder",
  "src/vault/s3-vault.ts": "what is sealed on its way into a bucket; it counts once it is there",
  "src/backup/checked-file.ts": "large files of a backup, synced before the backup gets its name",
  "src/backup/vault-copies.ts":
    "lists of checksums, appended and synced; a line that a crash halves counts for nothing",
  "src/backup/folders.ts": "what is restored, synced before the note goes that keeps a service from starting on it",
  "src/backup/log-files.ts": "log that is laid out to be replayed once, and goes then",
  "src/cli/users/export.ts": "what an operator asked for, to be asked for again",
  "src/exports/target.ts": "synced with each piece, its name given once it is whole, and cut off at what was synced",
  "src/cli/recognition/evaluate.ts": "a report that an operator asked for",
  "src/cli/recognition/plot.ts": "a drawing for the operator",
  "src/cli/recognition/preview.ts": "a report that one command makes, and makes again",
  "src/sender/file-writer.ts": "a partner's side: batches to be sent, made again from their source",
  "src/sender/journal.ts": "a partner's side: what was acknowledged; sent again when it is missing",
  "src/api/openapi/write-document.ts": "a file of the repository",
  "src/packaging/build.ts": "what is packed, made again with each package",
  "src/packaging/provenance.ts": "what is said of a package, made again with each",
};

const writing = /(?<!\.)\b(?:writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream)\(|\.writeFile\(/;

function writersIn(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path: file, text }) => /^(src|workers)\//.test(file) && writing.test(text))
    .map((one) => one.path);
}

test("nobody writes a file but by the one way that outlives a power cut, or with a reason", async (t) => {
  t.deepEqual(writersIn(await readTree()).sort(), Object.keys(writers).sort());
});

test("a file that is written otherwise is found, by whatever call", (t) => {
  const found = [
    'await writeFile(path.join(folder, "postgres-url"), url);\n',
    "writeFileSync(file, text);\n",
    "await handle.writeFile(text);\n",
    "pipeline(bytes, createWriteStream(file));\n",
  ].map((text, at) => sourceFile(`src/demo/${at}.ts`, text));
  t.deepEqual(writersIn(found), ["src/demo/0.ts", "src/demo/1.ts", "src/demo/2.ts", "src/demo/3.ts"]);
  t.deepEqual(writersIn([sourceFile("src/demo/keys.ts", "await writeSmallFile(file, text);\n")]), []);
});
