/** Signed receipts: verified by implementations that are not the service's own, after a rotation too. */
import { execFile, spawnSync } from "node:child_process";
import { access, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import test, { type ExecutionContext } from "ava";
import { createLocalJWKSet, flattenedVerify, type JWK } from "jose";
import { inTransaction } from "../../../src/database/database.ts";
import { rememberReceiptKey } from "../../../src/deliveries/receipt-files/key.ts";
import { createReceipts } from "../../../src/landing/receipt.ts";
import { realDisk } from "../../../src/deliveries/receipt-files/writing.ts";
import { publishedSigningKeys, rotateSigningKey } from "../../../src/partners/keys/signing-keys.ts";
import { addDelivery, addPartner } from "../../parties.ts";
import { createTestDatabase } from "../../world.ts";

const keyEncryptionKey = Buffer.alloc(32, 9);

async function openSigned(t: ExecutionContext) {
  const { database } = await createTestDatabase(t);
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-receipts-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const partner = await addPartner(database);
  const { id } = await addDelivery(database, partner, "accepted", { door: "sftp", name: "a.jsonl" });
  const file = path.join(folder, "bank/receipts/a.jsonl.receipt.json");
  const write = () =>
    createReceipts(database, folder, realDisk, rememberReceiptKey(database, keyEncryptionKey)).write(id);
  const read = async () => [await readFile(file), (await readFile(`${file}.jws`, "utf8")).trim()] as const;
  const published = () => publishedSigningKeys(database, "receipt-signing");
  return { database, folder, file, id, write, read, published };
}

async function verifies(receipt: Uint8Array, jws: string, keys: JWK[]): Promise<boolean> {
  const [header = "", payload = "", signature = ""] = jws.split(".");
  if (payload !== "") throw new Error("the payload is not detached");
  const detached = { protected: header, payload: Buffer.from(receipt).toString("base64url"), signature };
  return await flattenedVerify(detached, createLocalJWKSet({ keys })).then(
    () => true,
    () => false,
  );
}

test("a receipt's signature covers its bytes, and is made anew with every state", async (t) => {
  const { database, id, write, read, published } = await openSigned(t);
  await write();
  const [accepted, ofAccepted] = await read();
  t.is((JSON.parse(accepted.toString()) as { state: string }).state, "accepted");
  t.true(await verifies(accepted, ofAccepted, await published()));
  await database.query("update deliveries set state = 'loaded', finished_at = now() where id = $1", [id]);
  await write();
  const [loaded, ofLoaded] = await read();
  t.is((JSON.parse(loaded.toString()) as { state: string }).state, "loaded");
  t.true(await verifies(loaded, ofLoaded, await published()));
  t.false(await verifies(loaded, ofAccepted, await published()));
  t.false(await verifies(Buffer.concat([loaded, Buffer.from(" ")]), ofLoaded, await published()));
});

test("what an earlier key signed verifies after a rotation, and receipts are signed by the next", async (t) => {
  const { database, write, read, published } = await openSigned(t);
  await write();
  const [receipt, before] = await read();
  const { kid } = await inTransaction(database, (transaction) =>
    rotateSigningKey(transaction, keyEncryptionKey, "receipt-signing"),
  );
  await write();
  const [, after] = await read();
  t.is((await published())[0]?.kid, kid);
  t.not(before, after);
  t.true(await verifies(receipt, before, await published()));
  t.true(await verifies(receipt, after, await published()));
  t.false(JSON.stringify(await published()).includes('"d"'), "no private half is published");
});

/** Debian's packages belong to the system's interpreter, which need not be the first on the path. */
const python = "/usr/bin/python3";
const verifier = `
import base64, json, sys
receipt, line, keys = open(sys.argv[1], 'rb').read(), open(sys.argv[2]).read().strip(), json.load(open(sys.argv[3]))
header, _, signature = line.split('.')
payload = base64.urlsafe_b64encode(receipt).rstrip(b'=').decode()
kid = json.loads(base64.urlsafe_b64decode(header + '=='))['kid']
key = next(one for one in keys['keys'] if one['kid'] == kid)
compact = header + '.' + payload + '.' + signature
from jwcrypto import jwk, jws
token = jws.JWS()
token.allowed_algs = ['EdDSA']
token.deserialize(compact)
token.verify(jwk.JWK(**key))
from authlib.jose import JsonWebSignature, OKPKey
JsonWebSignature(['EdDSA']).deserialize_compact(compact.encode(), OKPKey.import_key(key))
print('verified')
`;
const testWithPython = spawnSync(python, ["-c", "import jwcrypto, authlib"]).status === 0 ? test : test.skip;

// Debian: python3-jwcrypto, python3-authlib.
testWithPython("jwcrypto and Authlib verify a receipt, and refuse a changed one", async (t) => {
  const { folder, file, write, published } = await openSigned(t);
  await write();
  await access(`${file}.jws`);
  const keys = path.join(folder, "jwks.json");
  await writeFile(keys, JSON.stringify({ keys: await published() }));
  const run = () => promisify(execFile)(python, ["-c", verifier, file, `${file}.jws`, keys]);
  t.is((await run()).stdout.trim(), "verified");
  await writeFile(file, `${await readFile(file, "utf8")} `);
  await t.throwsAsync(run(), { message: /InvalidJWSSignature|BadSignature/ });
});
