/** Places for connections are shared fairly between addresses and partners, and all come back in the end. */
import test from "ava";
import { Admission, type Admitted, type Newcomer } from "../../../../src/landing/sftp/connection/admission.ts";
import { sftpLimits } from "../../../../src/landing/sftp/limits.ts";
import fc from "../../../property.ts";

const limits = {
  ...sftpLimits,
  connectionsMax: 20,
  connectionsListedReserve: 2,
  connectionsUnauthenticatedListedMax: 2,
  connectionsPerAddressMax: 8,
  connectionsUnauthenticatedMax: 4,
  connectionsUnauthenticatedPerAddressMax: 3,
};

/** Connects, and notes who was cut, as the door does: a connection that is cut leaves. */
function openAdmission(drawn = 1): {
  admission: Admission;
  connect(address: string, newcomer?: Omit<Newcomer, "cut">): Admitted | { refused: string };
  cut: string[];
  later(ms: number): void;
} {
  let nowMs = 0;
  const admission = new Admission(
    limits,
    () => drawn,
    () => nowMs,
  );
  const cut: string[] = [];
  return {
    admission,
    cut,
    later: (ms) => (nowMs += ms),
    connect(address, newcomer = {}) {
      const admitted = admission.admit(address, {
        ...newcomer,
        cut: () => {
          cut.push(address);
          if ("leave" in admitted) admitted.leave();
        },
      });
      return admitted;
    },
  };
}

test("an address that floods loses its oldest connection to one that comes from elsewhere", (t) => {
  const { connect, cut } = openAdmission();
  for (let count = 0; count < 3; count += 1) t.true("logIn" in connect("203.0.113.9"));
  t.deepEqual(connect("203.0.113.9"), { refused: "unauthenticated-address-limit" });
  t.true("logIn" in connect("198.51.100.1"));
  t.true("logIn" in connect("198.51.100.2"));
  t.deepEqual(cut, ["203.0.113.9"]);
});

test("with one connection each, the last to come is refused", (t) => {
  const { connect } = openAdmission();
  for (const address of ["a", "b", "c", "d"]) connect(address);
  t.deepEqual(connect("e"), { refused: "unauthenticated-limit" });
});

test("a silent connection gives way to any newcomer, the oldest first, and is not spared by coming from elsewhere", (t) => {
  const { connect, cut } = openAdmission();
  for (const address of ["a", "b", "c", "d"]) connect(address, { isSilent: () => address !== "a" });
  t.true("logIn" in connect("e"));
  t.deepEqual(cut, ["b"]);
});

test("listed networks have places that nobody else can take", (t) => {
  const { connect, cut } = openAdmission();
  for (const address of ["a", "b", "c", "d"]) connect(address);
  t.deepEqual(connect("e"), { refused: "unauthenticated-limit" });
  t.true("logIn" in connect("bank", { isListed: true }));
  t.deepEqual(cut, []);
});

test("whoever logs in nowhere leaves the listed networks' share of all connections free", (t) => {
  const { connect } = openAdmission();
  for (let n = 0; n < 18; n += 1) {
    const one = connect(`address ${n}`);
    if ("logIn" in one) t.true(one.logIn("partner", 100));
  }
  t.deepEqual(connect("another"), { refused: "connection-limit" });
  t.true("logIn" in connect("bank", { isListed: true }));
});

test("an IPv6 customer is counted by its /64", (t) => {
  const { connect } = openAdmission();
  for (const end of [1, 2, 3]) t.true("logIn" in connect(`2001:db8:1:2::${end}`));
  t.deepEqual(connect("2001:db8:1:2:ffff::1"), { refused: "unauthenticated-address-limit" });
  t.true("logIn" in connect("2001:db8:1:3::1"));
});

test("past half of the places newcomers are refused by chance, those who have logged in before are not", (t) => {
  const { connect } = openAdmission(0.4);
  const known = connect("known");
  if ("logIn" in known) known.logIn("partner", 100);
  for (const address of ["a", "b", "c"]) t.true("logIn" in connect(address));
  t.deepEqual(connect("d"), { refused: "early-drop" });
  t.true("logIn" in connect("known"));
});

test("silence again and again keeps a neighbourhood out for a while, and longer each time", (t) => {
  const { connect, later } = openAdmission();
  const beSilent = () => {
    const one = connect("a");
    if ("refused" in one) return one.refused;
    one.staysSilent();
    one.leave();
    return "admitted";
  };
  for (let n = 0; n < 4; n += 1) t.is(beSilent(), "admitted");
  t.is(beSilent(), "silence-penalty");
  t.true("logIn" in connect("a", { isListed: true }));
  later(2001);
  t.is(beSilent(), "admitted");
  later(2001);
  t.is(beSilent(), "silence-penalty");
});

test("a login frees the place before it, up to the partner's sessions", (t) => {
  const { admission, connect } = openAdmission();
  const connections = ["a", "b", "c"].map((address) => connect(address)).filter((one) => "logIn" in one);
  t.deepEqual(
    connections.map((one) => one.logIn("demo", 2)),
    [true, true, false],
  );
  t.is(admission.sessions, 2);
  connections[0]?.leave();
  t.true(connections[2]?.logIn("demo", 2));
  t.is(admission.sessions, 2);
});

test("a connection that was cut or has left logs in no more", (t) => {
  const { connect } = openAdmission();
  const first = connect("a");
  if ("refused" in first) return t.fail();
  first.leave();
  t.false(first.logIn("demo", 2));
});

test("whoever comes and goes, limits hold and everything is given back in the end", (t) => {
  const step = fc.record({
    address: fc.constantFrom("a", "b", "c", "d", "e", "f"),
    next: fc.constantFrom("stay", "log in", "leave"),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const admission = new Admission(limits, () => 1);
      const open = new Set<Admitted>();
      for (const { address, next } of steps) {
        const admitted: Admitted | { refused: string } = admission.admit(address, {
          cut: () => leave(admitted),
        });
        const leave = (one: Admitted | { refused: string }) => {
          if ("leave" in one && open.delete(one)) one.leave();
        };
        if ("refused" in admitted) continue;
        open.add(admitted);
        if (next === "log in") admitted.logIn("demo", 5);
        if (next === "leave") leave(admitted);
        t.true(open.size <= 20 && admission.sessions <= 5);
      }
      for (const one of open) one.leave();
      t.is(admission.sessions, 0);
      for (let count = 0; count < 3; count += 1) t.true("logIn" in admission.admit("a", { cut: () => undefined }));
    }),
  );
});
