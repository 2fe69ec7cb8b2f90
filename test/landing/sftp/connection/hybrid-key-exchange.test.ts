/** The hybrid of ML-KEM-768 and X25519 agrees with published vectors and refuses keys that are none. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  decapsulate,
  diffieHellman,
  generateKeyPairSync,
} from "node:crypto";
import { readFile } from "node:fs/promises";
import test from "ava";
import { agreesOnHybrid, respond, withCarrier } from "../../../../src/landing/sftp/connection/hybrid-key-exchange.ts";
import { exchangeHybrid, kexInit, messages, nextSealed, openRawSsh } from "../raw-ssh.ts";
import { openDoorWorld } from "../world.ts";

type Vectors = {
  decapsulation: { tcId: number; comment?: string; seed: string; ek: string; c: string; K: string }[];
  encapsulationRefused: { tcId: number; ek: string }[];
};

const { decapsulation, encapsulationRefused } = JSON.parse(
  await readFile(new URL("../../../vectors/wycheproof/mlkem_768_selected.json", import.meta.url), "utf8"),
) as Vectors;
const hex = (text: string) => Buffer.from(text, "hex");

for (const { tcId, comment, seed, ek, c, K } of decapsulation) {
  test(`ML-KEM-768 is the published one: test ${tcId}, ${comment ?? "strcmp"}`, (t) => {
    const privateKey = createPrivateKey({ key: hex(seed), format: "raw-seed", asymmetricKeyType: "ml-kem-768" });
    t.is(createPublicKey(privateKey).export({ format: "raw-public" }).toString("hex"), ek);
    t.is(Buffer.from(decapsulate(privateKey, hex(c))).toString("hex"), K);
  });
}

test("both sides come to the same secret, from 1216 bytes and 1120 bytes", (t) => {
  const [mlKem, x25519] = [generateKeyPairSync("ml-kem-768"), generateKeyPairSync("x25519")];
  const initial = Buffer.concat([
    mlKem.publicKey.export({ format: "raw-public" }),
    x25519.publicKey.export({ format: "raw-public" }),
  ]);
  const { reply, secret } = respond(initial);
  t.deepEqual([initial.length, reply.length, secret.length], [1216, 1120, 32]);
  const serverKey = createPublicKey({ key: reply.subarray(1088), format: "raw-public", asymmetricKeyType: "x25519" });
  const shared = [
    decapsulate(mlKem.privateKey, reply.subarray(0, 1088)),
    diffieHellman({ privateKey: x25519.privateKey, publicKey: serverKey }),
  ];
  t.deepEqual(secret, createHash("sha256").update(Buffer.concat(shared)).digest());
});

const x25519Key = generateKeyPairSync("x25519").publicKey.export({ format: "raw-public" });
const mlKemKey = generateKeyPairSync("ml-kem-768").publicKey.export({ format: "raw-public" });

for (const { tcId, ek } of encapsulationRefused) {
  test(`an ML-KEM key that is not one is refused: test ${tcId}`, (t) => {
    t.throws(() => respond(Buffer.concat([hex(ek), x25519Key])));
  });
}

test("an X25519 key of small order is refused", (t) => {
  t.throws(() => respond(Buffer.concat([mlKemKey, Buffer.alloc(32)])));
  t.throws(() => respond(Buffer.concat([mlKemKey, Buffer.alloc(32).fill(1, 0, 1)])));
});

test("the client's preference decides, and a wrong guess stays one", (t) => {
  const server = ["mlkem768x25519-sha256", "curve25519-sha256"];
  t.true(agreesOnHybrid(["sntrup761x25519-sha512", "mlkem768x25519-sha256", "curve25519-sha256"], server));
  t.false(agreesOnHybrid(["curve25519-sha256", "mlkem768x25519-sha256"], server));
  t.false(agreesOnHybrid(["curve25519-sha256", "ext-info-c"], server));
  t.deepEqual(withCarrier(["sntrup761x25519-sha512", "mlkem768x25519-sha256"]), [
    "sntrup761x25519-sha512",
    "curve25519-sha256",
  ]);
});

test("a client that shares no code with the door agrees with it, and reads what it says next", async (t) => {
  const peer = await openRawSsh((await openDoorWorld(t)).door.port);
  const ours = kexInit({ methods: ["mlkem768x25519-sha256", "ext-info-c"] });
  peer.send(ours);
  const agreed = await exchangeHybrid(peer, ours, (await peer.next()) ?? Buffer.alloc(0));
  if (!agreed) return t.fail("there was no reply");
  t.true(agreed.signatureIsValid);
  t.is((await peer.next())?.[0], messages.newKeys);
  peer.send(Buffer.of(messages.newKeys));
  const extensions = await nextSealed(peer, agreed);
  t.is(extensions[0], 7);
  t.true(extensions.includes("server-sig-algs"));
  peer.close();
});

const changes: Record<string, (initial: Buffer) => Buffer> = {
  "one that is empty": () => Buffer.alloc(0),
  "one that is a byte short": (initial) => initial.subarray(1),
  "one that is a byte long": (initial) => Buffer.concat([initial, Buffer.of(0)]),
  "only an X25519 key": (initial) => initial.subarray(1184),
  "a key with coefficients above the modulus": (initial) =>
    Buffer.concat([Buffer.alloc(1184, 0xff), initial.subarray(1184)]),
  "an X25519 key of zeros": (initial) => Buffer.concat([initial.subarray(0, 1184), Buffer.alloc(32)]),
};

for (const [what, change] of Object.entries(changes)) {
  test(`C_INIT being ${what} ends the connection, and the door stays open`, async (t) => {
    const world = await openDoorWorld(t);
    const peer = await openRawSsh(world.door.port);
    const ours = kexInit({ methods: ["mlkem768x25519-sha256"] });
    peer.send(ours);
    t.is(await exchangeHybrid(peer, ours, (await peer.next()) ?? Buffer.alloc(0), change), null);
    await world.client();
  });
}
