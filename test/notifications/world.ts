/** A receiver simulator, a partner that receives there, users to tell, and a deliverer whose pauses the test skips. */
import { randomBytes } from "node:crypto";
import type { ExecutionContext } from "ava";
import type { Database } from "../../src/database/database.ts";
import { createEvents, type EventName } from "../../src/events.ts";
import { createDeliverer } from "../../src/notifications/deliver.ts";
import type { Notice } from "../../src/interface/notification.ts";
import { writeNotices } from "../../src/notifications/outbox.ts";
import { putReceiver, type ReceiverSettings } from "../../src/notifications/receiver.ts";
import { openSimulator, type Simulator, type SimulatorOptions } from "../../src/demo/receiver.ts";
import { addPartner, addUser } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

export type NotifyingWorld = {
  database: Database;
  keyEncryptionKey: Buffer;
  partnerId: string;
  userIds: number[];
  simulator: Simulator;
  /** What the receiver checks signatures with. */
  verificationKey: string;
  seen: { name: EventName; fields: Record<string, unknown> }[];
  /** As an operator does who changes something else about it. */
  putReceiverAgain(): Promise<string>;
  notices(count: number): Notice<"SUBSCRIPTION">[];
  write(notices: readonly Notice[]): Promise<number>;
  /** Sends what is due now. */
  deliver(): Promise<number>;
  /** As the scheduler does: waits for nobody's receiver. */
  begin(): Promise<void>;
  settled(): Promise<void>;
  /** Makes everything that waits due. */
  skipPauses(): Promise<void>;
  states(): Promise<Record<string, number>>;
};

type Options = Partial<SimulatorOptions> & {
  receiver?: (simulator: Simulator) => Partial<ReceiverSettings>;
  /** No time passes: a breaker that opened stays open, and what was tried once is due again after skipPauses() alone. */
  isTimeHeld?: boolean;
};

export async function openNotifying(
  t: ExecutionContext,
  { receiver, isTimeHeld = false, ...given }: Options = {},
): Promise<NotifyingWorld> {
  const { database } = await createTestDatabase(t);
  const keyEncryptionKey = randomBytes(32);
  const simulator = await openSimulator({
    port: 0,
    behave: () => "accept",
    staticToken: "static-token",
    slowMs: 5,
    report: () => undefined,
    ...given,
  });
  t.teardown(() => simulator.close());
  const partnerId = await addPartner(database);
  const userIds: number[] = [];
  for (const uid of ["u1", "u2", "u3", "u4"]) userIds.push(await addUser(database, partnerId, uid));
  const settings: ReceiverSettings = {
    partnerId,
    url: simulator.url,
    shape: "map",
    authentication: { kind: "static", token: "static-token" },
    signing: "hmac",
    guard: { allowsPrivateAddresses: true, authority: undefined, clientCertificate: undefined },
    ...receiver?.(simulator),
  };
  const verificationKey = await putReceiver(database, keyEncryptionKey, settings);
  const seen: NotifyingWorld["seen"] = [];
  const events = {
    ...createEvents({ level: "silent" }),
    emit: (name: EventName, fields: object) => void seen.push({ name, fields: fields as Record<string, unknown> }),
  };
  if (isTimeHeld) await holdPauses(database);
  const openedAt = new Date();
  const now = () => (isTimeHeld ? openedAt : new Date());
  const newDeliverer = () => createDeliverer({ database, keyEncryptionKey, events, now, random: () => 0 });
  let deliverer = newDeliverer();
  return {
    database,
    keyEncryptionKey,
    partnerId,
    userIds,
    simulator,
    verificationKey,
    seen,
    putReceiverAgain: () => putReceiver(database, keyEncryptionKey, settings),
    notices: (count) =>
      Array.from({ length: count }, (_, at) => ({
        userId: userIds[at % userIds.length]!,
        type: "NEW_PAYMENT",
        subject: `payment ${at}`,
        content: {
          product: { title: "Music", imageUrl: "https://x/m.svg", type: "SUBSCRIPTION" },
          amount: 99,
          currency: "DKK",
          serviceId: "s-1",
          subscriptionCount: 3,
        },
      })),
    write: (notices) => writeNotices(database, notices),
    deliver: () => deliverer.deliverDue(),
    begin: () => deliverer.beginDue(() => false),
    settled: () => deliverer.settled(),
    async skipPauses() {
      // Breakers pause too; a new deliverer has none.
      deliverer = newDeliverer();
      await database.query("update notifications set due_at = now() where state = 'pending'");
    },
    async states() {
      const { rows } = await database.query<{ state: string; n: number }>(
        "select state, count(*) as n from notifications group by state",
      );
      return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
    },
  };
}

/** The database's clock cannot be held, so what is put off to any moment after its now is put off for good. */
async function holdPauses(database: Database): Promise<void> {
  await database.query(
    `create function hold_pause() returns trigger language plpgsql as
     $$ begin if new.due_at > now() then new.due_at := 'infinity'; end if; return new; end $$`,
  );
  await database.query(
    "create trigger hold_pause before update of due_at on notifications for each row execute function hold_pause()",
  );
}
