/** Who guesses keys waits, and who has a good key, an allowed network or a known address does not. */
import { connect } from "node:net";
import test from "ava";
import { neighbourhoodOf } from "../../../../src/partners/network.ts";
import { type DefenceRules, LoginDefence } from "../../../../src/landing/sftp/connection/defence.ts";
import { type DoorWorld, openDoorWorld } from "../world.ts";

const rule = { freeFailures: 1, firstDelayMs: 50, delayMaxMs: 100, forgiveMs: 60_000, keysMax: 100 };
const rules: DefenceRules = { address: rule, account: rule };

function attacked(networks: string[] = []): LoginDefence {
  const defence = new LoginDefence(
    async () => networks,
    rules,
    () => 0,
  );
  for (let count = 0; count < 10; count += 1) defence.failed("demo", "203.0.113.9");
  return defence;
}

test("an address that failed often waits before its next connection, and no other does", async (t) => {
  const defence = attacked();
  t.is(await defence.connectionDelayMs("203.0.113.9"), 100);
  t.is(await defence.connectionDelayMs("203.0.113.10"), 0);
});

test("refusals for an account under attack come late from everywhere but where it logged in before", async (t) => {
  const defence = attacked();
  t.is(await defence.refusalDelayMs("demo", "198.51.100.1"), 100);
  t.is(await defence.refusalDelayMs("other", "198.51.100.1"), 0);
  defence.succeeded("demo", "198.51.100.1");
  t.is(await defence.refusalDelayMs("demo", "198.51.100.1"), 0);
  t.is(await defence.refusalDelayMs("demo", "198.51.100.2"), 100);
});

test("networks that a partner's list names are spared", async (t) => {
  const defence = attacked(["203.0.113.0/24"]);
  t.is(await defence.connectionDelayMs("203.0.113.9"), 0);
  t.is(await defence.refusalDelayMs("demo", "203.0.113.77"), 0);
});

test("a login clears its address", async (t) => {
  const defence = attacked();
  defence.succeeded("demo", "203.0.113.9");
  t.is(await defence.connectionDelayMs("203.0.113.9"), 0);
});

const neighbourhoods: Record<string, string> = {
  "192.0.2.1": "192.0.2.1",
  "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
  "2001:db8:1:2::9": "2001:db8:1:2::/64",
  "2001:db8::1": "2001:db8:0:0::/64",
  "::1": "0:0:0:0::/64",
  "fe80::1%eth0": "fe80:0:0:0::/64",
};

for (const [address, expected] of Object.entries(neighbourhoods)) {
  test(`${address} is counted as ${expected}`, (t) => {
    t.is(neighbourhoodOf(address), expected);
  });
}

/** Connections that try a wrong key until the address has to wait. */
async function attack(world: DoorWorld, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1)
    await world.bare({ privateKey: world.otherKey.privateKey }).catch(() => undefined);
}

test("a good key logs in while its account and its address are under attack", async (t) => {
  const world = await openDoorWorld(t, { defence: rules });
  await attack(world, 4);
  // The last one may still be closing.
  t.true(world.count("sftp.login-refused") >= 3);
  const client = await world.client();
  await client.put(Buffer.from("hello"), "/inbox/batch.jwe");
  t.is(world.deliveries.length, 1);
  t.like(await world.event("sftp.connection-delayed"), { address: "127.0.0.1", delayMs: 50 });
});

test("an allowed address does not even wait", async (t) => {
  const world = await openDoorWorld(t, { defence: rules });
  world.partners.get("demo")?.allowedNetworks.push("127.0.0.0/8");
  await attack(world, 4);
  await world.client();
  t.is(world.count("sftp.connection-delayed"), 0);
});

test("the keys that an agent offers before the good one are no failure", async (t) => {
  const world = await openDoorWorld(t, { defence: rules });
  for (let count = 0; count < 5; count += 1) {
    const offers = [world.otherKey.privateKey, world.otherKey.privateKey, world.key.privateKey].map((key) => ({
      type: "publickey" as const,
      username: "demo",
      key,
    }));
    const { ssh } = await world.bare({ authHandler: (_left, _partial, next) => next(offers.shift() ?? "none") });
    ssh.end();
  }
  t.is(world.count("sftp.login-accepted"), 5);
  t.is(world.count("sftp.login-refused"), 0);
  t.is(world.count("sftp.connection-delayed"), 0);
});

test("a port scan that never tries a login is no failure", async (t) => {
  const world = await openDoorWorld(t, { defence: rules, limits: { loginGraceMs: 20, watchIntervalMs: 5 } });
  for (let count = 0; count < 5; count += 1) {
    const socket = connect(world.door.port, "127.0.0.1");
    socket.resume();
    await new Promise((resolve) => socket.once("close", resolve));
  }
  t.is(world.count("sftp.connection-delayed"), 0);
});

test("a flood of refused logins is named up to a number a minute, and counted beyond", (t) => {
  let now = 1_000_000;
  const defence = new LoginDefence(
    async () => [],
    rules,
    () => now,
  );
  const named = Array.from({ length: 305 }, () => defence.name());
  t.deepEqual([named[0], named[299], named[300], named[304]], [0, 0, null, null]);
  now += 60_000;
  t.deepEqual([defence.name(), defence.name()], [5, 0]);
});
