/** One name is one address: what listens for it is one server, with the guard and the certificate of that one. */
import dns from "node:dns";
import { connect } from "node:net";
import test from "ava";
import { listenedAddress } from "../../src/machine/addresses.ts";
import { openWorld } from "../api/world.ts";

test("an address is listened on as it is, and localhost at one of its own", async (t) => {
  t.is(await listenedAddress("::"), "::");
  t.is(await listenedAddress("192.0.2.1"), "192.0.2.1");
  t.regex(await listenedAddress("localhost"), /^(127\.0\.0\.1|::1)$/);
});

test.serial("the API on localhost has no second listener, which nothing would guard", async (t) => {
  const own = dns.lookup;
  // What a machine says that has both families: two addresses for one name.
  const both = [
    { address: "127.0.0.1", family: 4 },
    { address: "127.0.0.2", family: 4 },
  ];
  Object.assign(dns, {
    lookup: (host: string, options: object, done: (error: null, found: object) => void) =>
      host === "localhost" && "all" in options
        ? done(null, both)
        : (own as unknown as (...all: unknown[]) => void)(host, options, done),
  });
  t.teardown(() => Object.assign(dns, { lookup: own }));
  const { port } = await openWorld(t, {}, { host: "localhost" });
  const answers = async (host: string) =>
    await new Promise<boolean>((resolve) => {
      const socket = connect({ host, port });
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
  t.true(await answers("127.0.0.1"));
  t.false(await answers("127.0.0.2"));
});
