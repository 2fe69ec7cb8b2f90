/** Places for connections are shared fairly between addresses and partners, and all come back in the end. */
import test from "ava";
import { Admission, type Admitted } from "../../../../src/landing/sftp/connection/admission.ts";
import { sftpLimits } from "../../../../src/landing/sftp/limits.ts";
import fc from "../../../property.ts";

const limits = {
  ...sftpLimits,
  connectionsMax: 20,
  connectionsPerAddressMax: 8,
  connectionsUnauthenticatedMax: 4,
  connectionsUnauthenticatedPerAddressMax: 3,
};

/** Connects, and notes who was cut, as the door does: a connection that is cut leaves. */
function openAdmission(): {
  admission: Admission;
  connect(address: string): Admitted | { refused: string };
  cut: string[];
} {
  const admission = new Admission(limits);
  const cut: string[] = [];
  return {
    admission,
    cut,
    connect(address) {
      const admitted = admission.admit(address, () => {
        cut.push(address);
        if ("leave" in admitted) admitted.leave();
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

test("a login frees the place before it, up to the partner's sessions", (t) => {
  const { admission, connect } = openAdmission();
  const connections = ["a", "b", "c"].map(connect).filter((one) => "logIn" in one);
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
      const admission = new Admission(limits);
      const open = new Set<Admitted>();
      for (const { address, next } of steps) {
        const admitted: Admitted | { refused: string } = admission.admit(address, () => leave(admitted));
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
      for (let count = 0; count < 3; count += 1) t.true("logIn" in admission.admit("a", () => undefined));
    }),
  );
});
