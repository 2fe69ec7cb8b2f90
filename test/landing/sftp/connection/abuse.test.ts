/** What no honest client sends, on a bare channel: the door stays up and gives nothing away. */
import test from "ava";
import type { ClientChannel } from "ssh2";
import { sized, uint32, uint64 } from "../../../../src/landing/sftp/wire/fields.ts";
import { joined, readPackets } from "../../../../src/landing/sftp/wire/packets.ts";
import fc, { runs } from "../../../property.ts";
import { type DoorWorld, openDoorWorld } from "../world.ts";

type Peer = { send(...packets: Buffer[]): void; next(): Promise<Buffer | null>; end(): void };

const status = { ok: 0, noSuchFile: 2, permissionDenied: 3, failure: 4, badMessage: 5, unsupported: 8 } as const;
const init = packet(1, uint32(3));

function packet(type: number, ...fields: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.of(type), ...fields]);
  return Buffer.concat([uint32(body.length), body]);
}

function peerOn(channel: ClientChannel, end = (): void => void channel.end()): Peer {
  const packets = readPackets(channel, 1 << 20);
  return {
    send: (...sent) => void channel.write(Buffer.concat(sent)),
    next: async () => {
      const { value } = await packets.next();
      return value ? joined(value) : null;
    },
    end,
  };
}

async function greeted(world: DoorWorld): Promise<Peer> {
  const { ssh, channel } = await world.raw();
  const peer = peerOn(channel, () => void ssh.end());
  peer.send(init);
  await peer.next();
  return peer;
}

/** The code of a STATUS reply. */
function codeOf(reply: Buffer | null): number | undefined {
  return reply?.readUInt8(0) === 101 ? reply.readUInt32BE(5) : undefined;
}

test("VERSION announces the protocol and its extensions", async (t) => {
  const peer = peerOn((await (await openDoorWorld(t)).raw()).channel);
  peer.send(init);
  const reply = await peer.next();
  t.is(reply?.readUInt8(0), 2);
  t.is(reply?.readUInt32BE(1), 3);
  t.regex(String(reply), /posix-rename@openssh\.com.*statvfs@openssh\.com.*fsync@openssh\.com.*limits@openssh\.com/s);
});

test("limits tells of the largest packet, read and write, and of the handles", async (t) => {
  const peer = await greeted(await openDoorWorld(t, { limits: { handlesMax: 7 } }));
  peer.send(packet(200, uint32(1), sized("limits@openssh.com")));
  const reply = await peer.next();
  t.is(reply?.readUInt8(0), 201);
  t.deepEqual(
    [5, 13, 21, 29].map((offset) => Number(reply?.readBigUInt64BE(offset))),
    [256 * 1024, 255 * 1024, 255 * 1024, 7],
  );
});

const fatal: Record<string, Buffer> = {
  "a first packet that is not INIT": packet(17, uint32(1), sized("/")),
  "a packet without a length": uint32(0),
  "a packet of four gigabytes": uint32(0xffffffff),
  "a packet just above the limit": uint32(256 * 1024 + 1),
  "a second INIT": Buffer.concat([init, init]),
  "a packet without a request id": Buffer.concat([init, packet(17)]),
};

for (const [what, bytes] of Object.entries(fatal)) {
  test(`${what} ends the channel and nothing else`, async (t) => {
    const world = await openDoorWorld(t);
    const peer = peerOn((await world.raw()).channel);
    peer.send(bytes);
    let reply = await peer.next();
    if (reply?.readUInt8(0) === 2) reply = await peer.next();
    t.is(reply, null);
    await (await world.client()).put(Buffer.from("hello"), "/inbox/batch.jwe");
    t.is(world.deliveries.length, 1);
  });
}

const answered: Record<string, { request: Buffer; code: number }> = {
  "a string longer than its packet": { request: packet(17, uint32(1), uint32(0xffffffff)), code: status.badMessage },
  "a name that is not UTF-8": {
    request: packet(17, uint32(1), sized(Buffer.of(0x2f, 0xff, 0xfe))),
    code: status.badMessage,
  },
  "an offset above 2^53": {
    request: packet(5, uint32(1), sized("0000"), uint64(2n ** 63n), uint32(1)),
    code: status.badMessage,
  },
  "an unknown packet type": { request: packet(99, uint32(1)), code: status.unsupported },
  "an unknown extension": {
    request: packet(200, uint32(1), sized("hardlink@openssh.com"), sized("a"), sized("b")),
    code: status.unsupported,
  },
  "an extension named like an inherited property": {
    request: packet(200, uint32(1), sized("constructor")),
    code: status.unsupported,
  },
  "a read from a handle that is not open": {
    request: packet(5, uint32(1), sized(uint32(7)), uint64(0), uint32(1)),
    code: status.failure,
  },
  "a write to a handle that is not open": {
    request: packet(6, uint32(1), sized(uint32(7)), uint64(0), sized("x")),
    code: status.failure,
  },
  "a handle of another length": { request: packet(4, uint32(1), sized(Buffer.alloc(255))), code: status.failure },
  "an open for writing at the root": {
    request: packet(3, uint32(1), sized("/x"), uint32(0x1a), uint32(0)),
    code: status.permissionDenied,
  },
  "an open of inbox itself for writing": {
    request: packet(3, uint32(1), sized("/inbox"), uint32(0x1a), uint32(0)),
    code: status.permissionDenied,
  },
  "a listing of what is above": { request: packet(11, uint32(1), sized("/../..//../etc")), code: status.noSuchFile },
  "a file where a folder should be": {
    request: packet(17, uint32(1), sized("/inbox/\u202e/../../receipts/x")),
    code: status.noSuchFile,
  },
  "a rename out of inbox": {
    request: packet(18, uint32(1), sized("/inbox/a"), sized("/receipts/a")),
    code: status.permissionDenied,
  },
  "a rename onto itself": {
    request: packet(18, uint32(1), sized("/inbox/a"), sized("/inbox/./a")),
    code: status.failure,
  },
  "the removal of inbox": { request: packet(15, uint32(1), sized("/inbox")), code: status.permissionDenied },
};

for (const [what, { request, code }] of Object.entries(answered)) {
  test(`${what} is answered with status ${code}`, async (t) => {
    const peer = await greeted(await openDoorWorld(t));
    peer.send(request);
    t.is(codeOf(await peer.next()), code);
  });
}

test("handles run out at the announced number and come back when closed", async (t) => {
  const world = await openDoorWorld(t, { limits: { handlesMax: 2 } });
  const peer = await greeted(world);
  const openRoot = packet(11, uint32(1), sized("/"));
  peer.send(openRoot, openRoot, openRoot, packet(4, uint32(1), sized(uint32(0))), openRoot);
  const types = [];
  for (let index = 0; index < 5; index += 1) types.push((await peer.next())?.readUInt8(0));
  t.deepEqual(types, [102, 102, 101, 101, 102]);
});

test("a handle of one channel means nothing in another", async (t) => {
  const world = await openDoorWorld(t);
  const [first, second] = [await greeted(world), await greeted(world)];
  first.send(packet(3, uint32(1), sized("/inbox/batch.jwe"), uint32(0x1a), uint32(0)));
  const handle = (await first.next())?.subarray(9) ?? Buffer.alloc(0);
  second.send(packet(4, uint32(2), sized(handle)));
  t.is(codeOf(await second.next()), status.failure);
  t.is(world.deliveries.length, 0);
});

test("a write far beyond the end is refused, and the file is not delivered", async (t) => {
  const world = await openDoorWorld(t);
  const peer = await greeted(world);
  peer.send(packet(3, uint32(1), sized("/inbox/batch.jwe"), uint32(0x1a), uint32(0)));
  const handle = (await peer.next())?.subarray(9) ?? Buffer.alloc(0);
  peer.send(packet(6, uint32(2), sized(handle), uint64(2 ** 40), sized("x")));
  t.is(codeOf(await peer.next()), status.failure);
  peer.send(packet(4, uint32(3), sized(handle)));
  t.is(codeOf(await peer.next()), status.failure);
  t.is(world.deliveries.length, 0);
});

// Alone in its process: other tests' bytes would count.
test.serial("a client that asks for much and reads nothing does not fill the memory", async (t) => {
  const world = await openDoorWorld(t);
  await (await world.client()).put(Buffer.alloc(1 << 20), "/inbox/batch.jwe");
  const { channel } = await world.raw();
  channel.write(Buffer.concat([init, packet(3, uint32(1), sized("/inbox/batch.jwe"), uint32(1), uint32(0))]));
  const before = process.memoryUsage().arrayBuffers;
  const read = packet(5, uint32(2), sized(uint32(0)), uint64(0), uint32(255 * 1024));
  channel.write(Buffer.concat(Array.from({ length: 4000 }, () => read)));
  // Another session is served meanwhile; by then a server without bounds holds a gigabyte.
  await (await world.client()).put(Buffer.from("hello"), "/inbox/small.jwe");
  t.true(process.memoryUsage().arrayBuffers - before < 64 * 1024 * 1024);
});

test("connections that break in the middle of reads and writes leave the door open and their names free", async (t) => {
  const world = await openDoorWorld(t);
  await (await world.client()).put(Buffer.alloc(1 << 20), "/inbox/batch.jwe");
  for (let replies = 0; replies < 20; replies += 1) {
    const { ssh, channel } = await world.raw();
    const peer = peerOn(channel);
    peer.send(
      init,
      packet(3, uint32(1), sized("/inbox/batch.jwe"), uint32(1), uint32(0)),
      packet(3, uint32(2), sized(`/inbox/${replies}.jwe`), uint32(0x1a), uint32(0)),
      ...Array.from({ length: 50 }, () => packet(5, uint32(3), sized(uint32(0)), uint64(0), uint32(255 * 1024))),
      ...Array.from({ length: 50 }, (_, index) =>
        packet(6, uint32(4), sized(uint32(1)), uint64(index * 1000), sized(Buffer.alloc(1000))),
      ),
    );
    for (let count = 0; count < replies; count += 1) await peer.next();
    ssh.destroy();
  }
  await world.door.close(0);
  t.is(world.deliveries.length, 1);
  t.is(world.count("sftp.failed"), 0);
  t.is(world.count("sftp.session-ended"), world.count("sftp.login-accepted"));
});

test("a client that sends more than the window holds is cut, and the door stays open", async (t) => {
  const world = await openDoorWorld(t);
  world.onDeliver = async () => undefined;
  const { ssh, channel } = await world.raw();
  ssh.on("error", () => undefined);
  const ended = new Promise<void>((resolve) => ssh.once("close", () => resolve()));
  // What a client is granted it keeps itself; this one grants itself more.
  Object.defineProperty((channel as unknown as { outgoing: object }).outgoing, "window", {
    get: () => 2 ** 31,
    set(_smaller: number) {},
  });
  channel.write(Buffer.concat([init, packet(3, uint32(1), sized("/inbox/batch.jwe.tmp"), uint32(0x1a), uint32(0))]));
  const write = packet(6, uint32(2), sized(uint32(0)), uint64(0), sized(Buffer.alloc(200_000)));
  for (let index = 0; index < 400; index += 1) channel.write(write);
  await ended;
  t.like(await world.event("sftp.refused"), { operation: "protocol", reason: "More bytes than the window holds." });
  await (await world.client()).put(Buffer.from("hello"), "/inbox/batch.jwe");
});

test("no sequence of well-framed packets brings the door down or makes it fail", async (t) => {
  const world = await openDoorWorld(t);
  const path = fc
    .constantFrom(
      "/",
      "/inbox",
      "/inbox/a",
      "/inbox/a.tmp",
      "/inbox/f",
      "/inbox/f/b",
      "/receipts",
      "/receipts/x",
      "/../other/inbox",
      "",
      "..",
      "/inbox/\0",
      "/inbox/" + "n".repeat(300),
    )
    .map(sized);
  const handle = fc.oneof(
    fc.integer({ min: 0, max: 8 }).map((value) => sized(uint32(value))),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => sized(Buffer.from(bytes))),
  );
  const number = fc
    .oneof(fc.integer({ min: 0, max: 64 }), fc.constantFrom(0xff, 0x8000, 0x7fffffff, 0xffffffff))
    .map(uint32);
  const offset = fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.constantFrom(2 ** 31, 2 ** 53, 2 ** 40)).map(uint64);
  const extension = fc
    .constantFrom(
      "posix-rename@openssh.com",
      "statvfs@openssh.com",
      "fsync@openssh.com",
      "limits@openssh.com",
      "lsetstat@openssh.com",
      "x",
    )
    .map(sized);
  const junk = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes));
  const type = fc.oneof(fc.integer({ min: 3, max: 20 }), fc.constantFrom(200, 201, 101, 0, 255));
  const request = fc.tuple(
    type,
    number,
    fc.array(fc.oneof(path, handle, number, offset, extension, junk), { maxLength: 5 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 30 }), async (requests) => {
      const peer = await greeted(world);
      peer.send(...requests.map(([kind, id, fields]) => packet(kind, id, ...fields)));
      for (const [, id] of requests) {
        const reply = await peer.next();
        // Reads and writes may be answered out of order; each id was asked for.
        if (!reply || !requests.some(([, asked]) => asked.equals(reply.subarray(1, 5))))
          throw new Error(`no answer to ${id.toString("hex")}`);
      }
      peer.end();
    }),
    runs(60),
  );
  t.is(world.count("sftp.failed"), 0);
  t.true(world.deliveries.every(({ partnerId }) => partnerId === "demo"));
});

test("channels beyond the limit of a connection are refused", async (t) => {
  const world = await openDoorWorld(t, { limits: { channelsPerConnectionMax: 2 } });
  const { ssh } = await world.raw();
  const openMore = () =>
    new Promise<string>((resolve) => ssh.subsys("sftp", (error) => resolve(error ? "refused" : "opened")));
  t.deepEqual([await openMore(), await openMore()], ["opened", "refused"]);
});
