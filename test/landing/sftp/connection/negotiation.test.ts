/** Only modern algorithms are offered, and packets out of turn end a strict key exchange. */
import test from "ava";
import ssh2 from "ssh2";
import { exchangeHybrid, kexInit, listsOf, messages, openRawSsh, plainPacket, type RawSsh } from "../raw-ssh.ts";
import { type DoorWorld, openDoorWorld } from "../world.ts";

const hybrid = "mlkem768x25519-sha256";
const gcm = ["aes256-gcm@openssh.com", "aes128-gcm@openssh.com"];

/** What the door answers to a KEXINIT. */
async function answered(peer: RawSsh, ours: Buffer): Promise<string[][]> {
  peer.send(ours);
  const theirs = await peer.next();
  peer.close();
  return theirs ? listsOf(theirs) : [];
}

test("the offer names modern algorithms only, and strict key exchange", async (t) => {
  const peer = await openRawSsh((await openDoorWorld(t)).door.port);
  t.is(peer.identification, "SSH-2.0-Tideline");
  t.deepEqual(await answered(peer, kexInit({ methods: [hybrid], ciphers: ["aes256-ctr"] })), [
    [
      hybrid,
      "curve25519-sha256",
      "curve25519-sha256@libssh.org",
      "diffie-hellman-group16-sha512",
      "diffie-hellman-group18-sha512",
      "kex-strict-s-v00@openssh.com",
    ],
    ["ssh-ed25519", "rsa-sha2-512", "rsa-sha2-256"],
    [...gcm, "chacha20-poly1305@openssh.com", "aes256-ctr"],
    [...gcm, "chacha20-poly1305@openssh.com", "aes256-ctr"],
    ["hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com"],
    ["hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com"],
    ["none"],
    ["none"],
    [""],
    [""],
  ]);
});

test("a client that knows AES-GCM is offered nothing else", async (t) => {
  const peer = await openRawSsh((await openDoorWorld(t)).door.port);
  const ciphers = ["chacha20-poly1305@openssh.com", "aes128-ctr", "aes128-gcm@openssh.com"];
  const [, , toServer, toClient] = await answered(peer, kexInit({ methods: [hybrid], ciphers }));
  t.deepEqual([toServer, toClient], [gcm, gcm]);
});

test("a client that waits for the server's offer gets all of it", async (t) => {
  const peer = await openRawSsh((await openDoorWorld(t, { limits: { keyExchangeWaitMs: 5 } })).door.port);
  const theirs = (await peer.next()) ?? Buffer.alloc(0);
  t.deepEqual(listsOf(theirs)[2], [...gcm, "chacha20-poly1305@openssh.com", "aes256-ctr"]);
  const ours = kexInit({ methods: [hybrid] });
  peer.send(ours);
  t.true((await exchangeHybrid(peer, ours, theirs))?.signatureIsValid);
  peer.close();
});

test("what follows a wrong guess is dropped, what follows a right one is taken", async (t) => {
  const { door } = await openDoorWorld(t);
  for (const methods of [
    ["sntrup761x25519-sha512", hybrid],
    [hybrid, "sntrup761x25519-sha512"],
  ]) {
    const peer = await openRawSsh(door.port);
    const ours = kexInit({ methods, firstFollows: true });
    peer.send(ours);
    if (methods[0] !== hybrid)
      peer.send(Buffer.concat([Buffer.of(messages.exchangeInit), Buffer.from("a wrong guess")]));
    t.true((await exchangeHybrid(peer, ours, (await peer.next()) ?? Buffer.alloc(0)))?.signatureIsValid);
    peer.close();
  }
});

/**
 * Packets that a man in the middle slips in before keys are in use: without strict key exchange they go unnoticed
 * (CVE-2023-48795).
 */
const slippedIn: Record<string, (peer: RawSsh) => Promise<void>> = {
  "before the client's KEXINIT": async (peer) => {
    peer.send(Buffer.concat([Buffer.of(messages.ignore), Buffer.alloc(4)]));
    peer.send(kexInit({ methods: [hybrid, "kex-strict-c-v00@openssh.com"] }));
  },
  "before the client's key": async (peer) => {
    peer.send(kexInit({ methods: [hybrid, "kex-strict-c-v00@openssh.com"] }));
    peer.send(Buffer.concat([Buffer.of(messages.ignore), Buffer.alloc(4)]));
  },
  "before NEWKEYS": async (peer) => {
    const ours = kexInit({ methods: [hybrid, "kex-strict-c-v00@openssh.com"] });
    peer.send(ours);
    await exchangeHybrid(peer, ours, (await peer.next()) ?? Buffer.alloc(0));
    peer.send(Buffer.concat([Buffer.of(messages.ignore), Buffer.alloc(4)]));
  },
};

for (const [where, slipIn] of Object.entries(slippedIn)) {
  test(`a packet that is slipped in ${where} ends a strict key exchange`, async (t) => {
    const peer = await openRawSsh((await openDoorWorld(t)).door.port);
    await slipIn(peer);
    const seen: (number | undefined)[] = [];
    for (let packet = await peer.next(); packet; packet = await peer.next()) seen.push(packet[0]);
    t.false(seen.includes(messages.exchangeReply));
  });
}

const broken: Record<string, Buffer> = {
  "a KEXINIT that ends too early": plainPacket(kexInit({ methods: [hybrid] }).subarray(0, 40)),
  "a KEXINIT whose list is longer than it": plainPacket(
    Buffer.concat([Buffer.of(messages.kexInit), Buffer.alloc(16), Buffer.alloc(4, 0xff)]),
  ),
  "a KEXINIT without anything in common": plainPacket(kexInit({ methods: ["diffie-hellman-group1-sha1"] })),
  "the hybrid with no cipher in common": plainPacket(kexInit({ methods: [hybrid], ciphers: ["3des-cbc"] })),
  "a packet of four gigabytes": Buffer.alloc(8, 0xff),
  "something that is not SSH": Buffer.from("GET / HTTP/1.1\r\nHost: bank\r\n\r\n"),
};

for (const [what, bytes] of Object.entries(broken)) {
  test(`${what} ends the connection, and the door stays open`, async (t) => {
    const world = await openDoorWorld(t);
    const peer = await openRawSsh(world.door.port);
    peer.write(bytes);
    for (let packet = await peer.next(); packet; packet = await peer.next())
      t.true([messages.kexInit, messages.disconnect].some((type) => type === packet?.[0]));
    await world.client();
    t.is(world.count("sftp.failed"), 0);
  });
}

const legacy = { cipher: ["aes256-ctr"], hmac: ["hmac-sha2-256"] } as const;

async function legacyLogin(world: DoorWorld, username: "demo" | "other"): Promise<string> {
  const client = new ssh2.Client();
  const privateKey = username === "demo" ? world.key.privateKey : world.otherKey.privateKey;
  const outcome = await new Promise<string>((resolve) => {
    client.on("ready", () => resolve("ready"));
    client.on("error", (error) => resolve(error.message));
    client.connect({
      host: "127.0.0.1",
      port: world.door.port,
      username,
      privateKey,
      algorithms: { cipher: [...legacy.cipher], hmac: [...legacy.hmac] },
    });
  });
  client.end();
  return outcome;
}

test("a MAC without encrypt-then-MAC is for the partner that has the switch, from its networks, and for nobody else", async (t) => {
  const world = await openDoorWorld(t);
  t.regex(await legacyLogin(world, "demo"), /no matching .* MAC/);
  const demo = world.partners.get("demo");
  if (demo) Object.assign(demo, { legacyMacs: true, allowedNetworks: ["192.0.2.0/24"] });
  t.regex(await legacyLogin(world, "demo"), /no matching .* MAC/);
  if (demo) Object.assign(demo, { allowedNetworks: ["127.0.0.0/8"] });
  t.is(await legacyLogin(world, "demo"), "ready");
  // The other partner comes from the same address.
  t.regex(await legacyLogin(world, "other"), /authentication methods failed/);
  t.like(await world.event("sftp.login-refused"), { user: "other", reason: "algorithm-refused" });
});

test("the switch has no effect without networks", async (t) => {
  const world = await openDoorWorld(t);
  const demo = world.partners.get("demo");
  if (demo) Object.assign(demo, { legacyMacs: true });
  t.regex(await legacyLogin(world, "demo"), /no matching .* MAC/);
});
