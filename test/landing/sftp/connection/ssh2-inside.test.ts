/**
 * The inside of ssh2 as the door reaches for it: whoever upgrades ssh2 reads here what has changed. No part of the door
 * takes part but ssh2-inside.ts; server and client are ssh2's own.
 */
import { once } from "node:events";
import { createRequire } from "node:module";
import test from "ava";
import ssh2, { type Connection, type ServerChannel } from "ssh2";
import { generateRsa } from "../../../../src/landing/sftp/connection/key-pairs.ts";
import {
  answerBy,
  answerRequests,
  dropPackets,
  exchangeOf,
  gcmReceiving,
  gcmSending,
  grantDataSize,
  handleFirstPayloads,
  handleLaterPayloads,
  isOfHandshake,
  keyOfType,
  offerOf,
  onNewKeys,
  receiveBy,
  receivesBy,
  refuseBeyondWindow,
  replaceNextPacket,
  sendBy,
  sendKexInit,
  sendPayload,
  sessionOf,
  setOffer,
  takeGuess,
  writeTo,
} from "../../../../src/landing/sftp/connection/ssh2-inside.ts";
import { sized } from "../../../../src/landing/sftp/wire/fields.ts";
import { shapeOf } from "../../../shape.ts";
import { at, insideOf, open, type Pair } from "./ssh2-pair.ts";

const require = createRequire(import.meta.url);
const kexInitType = 20;
const bannerType = 53;
const globalRequestType = 80;
const gcm = "aes256-gcm@openssh.com" as const;

test("the modules inside give what sends a KEXINIT, makes an offer, and sends a packet", (t) => {
  t.deepEqual(shapeOf(require("ssh2/lib/protocol/kex.js") as object, ["kexinit", "KexInit"]), {
    kexinit: "function/1",
    KexInit: "function/1",
  });
  t.deepEqual(shapeOf(require("ssh2/lib/protocol/utils.js") as object, ["sendPacket"]), { sendPacket: "function/3" });
});

test("a connection before keys has the fields that the door reads and replaces", async (t) => {
  const seen: Record<string, string>[] = [];
  await open(t, {
    attend: (server) => {
      const inside = insideOf(server);
      seen.push(
        shapeOf(inside, ["_offer", "_kex", "_skipNextInboundPacket", "_cipher", "_decipher", "_onPayload"]),
        shapeOf(inside, ["_onHandshakeComplete", "_onWrite", "channelOpenConfirm", "requestSuccess", "requestFailure"]),
        shapeOf(at(inside, "_offer", "lists"), ["kex", "serverHostKey", "cs", "sc"]),
        shapeOf(at(inside, "_offer", "lists", "kex"), ["array"]),
        shapeOf(at(inside, "_offer", "lists", "cs", "cipher"), ["array"]),
        shapeOf(at(inside, "_cipher"), ["outSeqno", "encrypt", "allocPacket", "free"]),
        shapeOf(at(inside, "_decipher"), ["inSeqno", "_onPayload", "decrypt", "free"]),
        shapeOf(at(inside, "_packetRW", "write"), ["allocStart", "alloc", "finalize"]),
        shapeOf(at(inside, "_handlers"), ["GLOBAL_REQUEST"]),
      );
    },
  });
  t.deepEqual(seen, [
    {
      _offer: "KexInit",
      _kex: "undefined",
      _skipNextInboundPacket: "boolean",
      _cipher: "NullCipher",
      _decipher: "NullDecipher",
      _onPayload: "function/1",
    },
    {
      _onHandshakeComplete: "function/0",
      _onWrite: "function/1",
      channelOpenConfirm: "function/4",
      requestSuccess: "function/1",
      requestFailure: "function/0",
    },
    { kex: "Object", serverHostKey: "Object", cs: "Object", sc: "Object" },
    { array: "Array" },
    { array: "Array" },
    { outSeqno: "number", encrypt: "function/1", allocPacket: "function/1", free: "function/0" },
    { inSeqno: "number", _onPayload: "function/1", decrypt: "function/3", free: "function/0" },
    { allocStart: "number", alloc: "function/2", finalize: "function/2" },
    { GLOBAL_REQUEST: "function/4" },
  ]);
});

test("a connection under AES-GCM has an exchange and ciphers with the fields that the door reads", async (t) => {
  const { server, ready } = await open(t, { algorithms: { kex: ["curve25519-sha256"], cipher: [gcm] } });
  await ready;
  const { _kex: exchange = {}, _cipher: cipher = {}, _decipher: decipher = {} } = insideOf(server);
  t.deepEqual(shapeOf(exchange, ["_remoteKexinit", "convertPublicKey", "computeSecret", "getPublicKey", "sessionID"]), {
    _remoteKexinit: "undefined",
    convertPublicKey: "function/1",
    computeSecret: "function/1",
    getPublicKey: "function/0",
    sessionID: "Buffer",
  });
  t.deepEqual(shapeOf(at(exchange, "negotiated"), ["serverHostKey"]), { serverHostKey: "string" });
  t.deepEqual(shapeOf(cipher, ["_encSSLName", "_encKey", "_encIV", "outSeqno", "encrypt", "allocPacket"]), {
    _encSSLName: "string",
    _encKey: "Buffer",
    _encIV: "Buffer",
    outSeqno: "number",
    encrypt: "function/1",
    allocPacket: "function/1",
  });
  t.deepEqual(
    shapeOf(decipher, ["_decipherSSLName", "_decipherKey", "_decipherIV", "inSeqno", "_onPayload", "decrypt"]),
    {
      _decipherSSLName: "string",
      _decipherKey: "Buffer",
      _decipherIV: "Buffer",
      inSeqno: "number",
      _onPayload: "function/1",
      decrypt: "function/3",
    },
  );
});

test("our KEXINIT can be kept back until the client's has come, and then offer something else", async (t) => {
  let kexInits = 0;
  const { client, server, ready } = await open(t, {
    attend: (connection) => {
      const offer = offerOf(connection);
      t.deepEqual(offer.hostKeys, ["ssh-ed25519"]);
      t.true(offer.methods.includes("curve25519-sha256") && offer.ciphers.includes(gcm));
      const letPass = dropPackets(connection, kexInitType);
      handleFirstPayloads(connection, (handle) => (payload) => {
        if (payload[0] === kexInitType) {
          kexInits += 1;
          letPass();
          setOffer(connection, { ...offer, ciphers: ["aes192-ctr"], macs: ["hmac-sha2-512"] });
          sendKexInit(connection);
        }
        return handle(payload);
      });
    },
    algorithms: { cipher: [gcm, "aes192-ctr"] },
  });
  const agreed = once(client, "handshake");
  await ready;
  const [{ cs, sc }] = (await agreed) as [{ cs: { cipher: string; mac: string }; sc: { cipher: string } }];
  t.deepEqual([cs.cipher, cs.mac, sc.cipher], ["aes192-ctr", "hmac-sha2-512", "aes192-ctr"]);
  t.deepEqual(offerOf(server).ciphers, ["aes192-ctr"]);
  t.is(kexInits, 1);
});

test("what comes under keys passes the handler that was put before ssh2's own", async (t) => {
  const types: (number | undefined)[] = [];
  const { ready } = await open(t, {
    attend: (connection) =>
      handleLaterPayloads(connection, (handle) => (payload) => {
        types.push(payload[0]);
        return handle(payload);
      }),
  });
  await ready;
  // SERVICE_REQUEST and USERAUTH_REQUEST.
  t.deepEqual(types.slice(0, 2), [5, 50]);
});

test("a guess that was taken is not dropped", async (t) => {
  const { server } = await open(t);
  const inside = Object.assign(insideOf(server), { _skipNextInboundPacket: true });
  takeGuess(server);
  t.false(inside["_skipNextInboundPacket"]);
});

test("an exchange that has not begun asks another method for its values", async (t) => {
  const asked: number[] = [];
  const { ended } = await open(t, {
    algorithms: { kex: ["curve25519-sha256"] },
    attend: (connection) =>
      handleFirstPayloads(connection, (handle) => (payload) => {
        const before = exchangeOf(connection);
        const outcome = handle(payload);
        const exchange = exchangeOf(connection);
        if (payload[0] === kexInitType && before === undefined && exchange !== undefined)
          answerBy(exchange, payload, (sent) => {
            asked.push(sent.length);
            return { reply: Buffer.alloc(32, 9), secret: Buffer.alloc(32, 1) };
          });
        return outcome;
      }),
  });
  // The reply that was made up passes for a key, and the signature is over another secret than the client's.
  t.regex(await ended, /signature verification failed|closed/i);
  t.deepEqual(asked, [32]);
});

test("a change of keys is told before a packet passes under them, with what a successor needs", async (t) => {
  const told: unknown[] = [];
  const { server, ready } = await open(t, {
    algorithms: { cipher: [gcm] },
    attend: (connection) =>
      onNewKeys(connection, () => {
        const [sending, receiving] = [gcmSending(connection), gcmReceiving(connection)];
        told.push([sending?.keys.algorithm, sending?.keys.key.length, sending?.keys.initialVector.length]);
        told.push([receiving?.keys.algorithm, receiving?.keys.key.length, receiving?.keys.initialVector.length]);
        t.deepEqual([sending?.outSeqno, receiving?.inSeqno, typeof receiving?.onPayload], [0, 0, "function"]);
      }),
  });
  await ready;
  const own = ["aes-256-gcm", 32, 12];
  t.deepEqual(told, [own, own]);
  await new Promise<void>((resolve) => {
    server.once("rekey", resolve);
    server.rekey();
  });
  t.deepEqual(told, [own, own, own, own]);
});

test("ciphers other than AES-GCM are told from it", async (t) => {
  const { server, ready } = await open(t, { algorithms: { cipher: ["aes256-ctr"] } });
  await ready;
  t.is(gcmSending(server), null);
  t.is(gcmReceiving(server), null);
});

test("packets pass through the cipher and the decipher that were put there, and out by the connection's writer", async (t) => {
  const { client, server, ready } = await open(t, { algorithms: { cipher: [gcm] } });
  await ready;
  const passed = { sent: 0, received: 0 };
  const receiving = receivesBy(server);
  const { _cipher: sending } = insideOf(server) as unknown as { _cipher: Parameters<typeof sendBy>[1] };
  sendBy(
    server,
    Object.assign(Object.create(sending) as typeof sending, {
      encrypt(packet: Buffer) {
        passed.sent += 1;
        sending.encrypt(packet);
      },
    }),
  );
  receiveBy(
    server,
    Object.assign(Object.create(receiving) as typeof receiving, {
      decrypt(chunk: Buffer, start: number, end: number) {
        passed.received += 1;
        return receiving.decrypt(chunk, start, end);
      },
    }),
  );
  await new Promise<void>((resolve) => client.forwardIn("127.0.0.1", 0, () => resolve()));
  t.true(passed.sent > 0 && passed.received > 0);
  const broken = new Promise<string>((resolve) => client.once("error", (error) => resolve(error.message)));
  // Bytes that no cipher made: the client reads them as a packet of four gigabytes.
  writeTo(server)(Buffer.alloc(64, 0xff));
  t.regex(await broken, /Bad packet length/);
});

test("the next packet of a type is replaced, and no other", async (t) => {
  const banner = (text: string) => Buffer.concat([Buffer.of(bannerType), sized(text), sized("")]);
  const read: string[] = [];
  const { client, ready } = await open(t, {
    attend: (connection) =>
      connection.once("authentication", () => {
        replaceNextPacket(connection, bannerType, banner("a longer text than what was there"));
        sendPayload(connection, banner("first"));
        sendPayload(connection, banner("second"));
      }),
  });
  client.on("banner", (message) => read.push(message));
  await ready;
  t.deepEqual(read, ["a longer text than what was there", "second"]);
});

test("requests of one name are answered, and the others left to ssh2", async (t) => {
  const { client, server, ready } = await open(t);
  await ready;
  const replies: string[] = [];
  const handlers = at(insideOf(client as unknown as Connection), "_handlers");
  const answered = new Promise<void>((resolve) => {
    const note = (_self: object, data?: Buffer) => {
      replies.push(data?.toString() ?? "refused");
      if (replies.length === 3) resolve();
    };
    Object.assign(handlers, { REQUEST_SUCCESS: note, REQUEST_FAILURE: note });
  });
  answerRequests(server, "known@test", (data) => (data.toString() === "good" ? Buffer.from("granted") : null));
  for (const [name, data] of [
    ["known@test", "good"],
    ["known@test", "bad"],
    ["other@test", "good"],
  ] as const)
    sendPayload(
      client as unknown as Connection,
      Buffer.concat([Buffer.of(globalRequestType), sized(name), Buffer.of(1), Buffer.from(data)]),
    );
  await answered;
  t.deepEqual(replies, ["granted", "refused", "refused"]);
});

test("a session has its id and the algorithm of its host key, and none before keys", async (t) => {
  const { server, ready } = await open(t, {
    attend: (connection) => void t.throws(() => sessionOf(connection), { message: /before its key exchange/ }),
  });
  await ready;
  const { id, hostKeyAlgorithm } = sessionOf(server);
  t.deepEqual([id.length, hostKeyAlgorithm], [32, "ssh-ed25519"]);
});

/** The server's end of a channel that the client has just opened. */
async function openChannel({ server, client }: Pair): Promise<{ own: ServerChannel; theirs: object }> {
  const own = new Promise<ServerChannel>((resolve) =>
    server.once("session", (accept) => accept().once("subsystem", (take) => resolve(take()))),
  );
  const theirs = new Promise<object>((resolve, reject) =>
    client.subsys("sftp", (error, channel) => (error ? reject(error) : resolve(channel))),
  );
  return { own: await own, theirs: await theirs };
}

test("a channel lets the client send packets of the size that was granted", async (t) => {
  const pair = await open(t);
  await pair.ready;
  const own: number[] = [];
  grantDataSize(pair.server, (sizeBytes) => {
    own.push(sizeBytes);
    return 131_072;
  });
  const { theirs } = await openChannel(pair);
  t.deepEqual((theirs as { outgoing: { packetSize: number } }).outgoing.packetSize, 131_072);
  t.deepEqual(own, [32_768]);
});

test("what comes beyond a channel's window is refused, and what comes within it is not", async (t) => {
  const pair = await open(t);
  await pair.ready;
  const { own, theirs } = await openChannel(pair);
  t.deepEqual(shapeOf(at(own, "incoming"), ["window"]), { window: "number" });
  let refusals = 0;
  const refused = new Promise<void>((resolve) =>
    refuseBeyondWindow(own, () => {
      refusals += 1;
      resolve();
    }),
  );
  const channel = theirs as { write(bytes: Buffer): boolean; outgoing: object };
  const arrived = once(own, "data");
  channel.write(Buffer.from("within"));
  t.deepEqual(await arrived, [Buffer.from("within")]);
  t.is(refusals, 0);
  own.pause();
  // What a client is granted it keeps itself; this one grants itself more.
  Object.defineProperty(channel.outgoing, "window", { get: () => 2 ** 31, set(_smaller: number) {} });
  for (let index = 0; index < 300; index += 1) channel.write(Buffer.alloc(32_767));
  await refused;
  t.true(refusals > 0);
});

test("an error says whether the two sides came to no agreement", async (t) => {
  const errors: boolean[] = [];
  const { server, ended } = await open(t, {
    algorithms: { cipher: ["3des-cbc"] },
    attend: (connection) => void connection.on("error", (error: Error) => errors.push(isOfHandshake(error))),
  });
  const closed = once(server, "close");
  await ended;
  await closed;
  t.deepEqual(errors.slice(0, 1), [true]);
  t.false(isOfHandshake(new Error("read ECONNRESET")));
});

test("a host key is offered by the type that it is given", async (t) => {
  const key = ssh2.utils.parseKey((await generateRsa()).privateKey);
  if (key instanceof Error) throw key;
  const named = keyOfType(key, "rsa-sha2-512");
  t.deepEqual([named.type, named.getPublicSSH().equals(key.getPublicSSH())], ["rsa-sha2-512", true]);
  const { server, ready } = await open(t, { hostKeys: [{ key: named }] });
  await ready;
  t.deepEqual([offerOf(server).hostKeys, sessionOf(server).hostKeyAlgorithm], [["rsa-sha2-512"], "rsa-sha2-512"]);
});
