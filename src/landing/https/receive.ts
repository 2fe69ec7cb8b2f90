/**
 * The HTTPS door: one pushed batch from its envelope to durable, or back to its sender with every reason.
 *
 *   known by its bytes? → its sender's turn → opened and checked in a thread → stored, all or nothing
 */
import { hash } from "node:crypto";
import type { InspectOutcome, InspectTask } from "../../../workers/messages.ts";
import { Fault } from "../../errors.ts";
import type { TransactionsError } from "../../interface/push.ts";
import type { KnownRequest, PushedRequest, RequestAcceptance } from "../accept.ts";
import { DoorTurns, type DoorTurnsSettings, type Sender } from "./door-turns.ts";
import { Batch, RememberedBatches } from "./remembered-batches.ts";

export type PushDoor = {
  /** Opens and checks a batch off the main thread; writes nothing. */
  inspect(task: InspectTask): Promise<InspectOutcome>;
  /** Makes an inspected batch durable. */
  acceptRequest(request: PushedRequest): Promise<RequestAcceptance>;
  /** Whether a request of that content was accepted and still counts. */
  isRepeat(request: KnownRequest): Promise<boolean>;
};

export type Push = {
  partnerId: string;
  requestId: string;
  txs: string;
  /** The request body as it came: what is kept. */
  body: Buffer;
  correlationId: string;
  /** From where it came. */
  sender: Sender;
  /** W3C Trace Context, as the call brought it; absent: it brought none. */
  traceparent?: string;
};

export type Reception =
  | { outcome: "received" }
  /** Repeating the identical request does not help. */
  | { outcome: "refused"; error: TransactionsError }
  | { outcome: "busy"; retryAfterSeconds: number };

/** What the door keeps between two requests. */
export type Doorway = PushDoor & { turns: DoorTurns; batches: RememberedBatches };

/** Opening a batch takes milliseconds: who is asked to come again finds the queue shorter. */
const turnRetrySeconds = 2;

export function openDoorway(door: PushDoor, settings: DoorTurnsSettings): Doorway {
  return { ...door, turns: new DoorTurns(settings), batches: new RememberedBatches() };
}

/** All or nothing: "received" means durable, everything else that nothing was kept. Idempotent by requestId. */
export async function receive(door: Doorway, push: Push): Promise<Reception> {
  const { partnerId, requestId, txs, body, correlationId, traceparent, sender } = push;
  const batch = new Batch(partnerId, txs);
  const known = door.batches.contentOf(batch, requestId);
  if (known && (await door.isRepeat({ partnerId, requestId, contentSha256: known, correlationId })))
    return { outcome: "received" };
  let digest: Buffer | null = null;
  const bodySha256 = () => (digest ??= hash("sha256", body, "buffer"));
  const inspecting = door.batches.inspect(batch, () =>
    inspect(door, push, { meanwhile: () => [batch.name, bodySha256()] }),
  );
  const inspected = await orBusy(inspecting);
  if (inspected === "busy") return { outcome: "busy", retryAfterSeconds: turnRetrySeconds };
  if (!inspected.ok) return refused(inspected.errorCode, inspected.message, inspected.details);
  const contentSha256 = Buffer.from(inspected.contentSha256, "hex");
  const accepted = await door.acceptRequest({
    partnerId,
    requestId,
    body,
    bodySha256: bodySha256(),
    contentSha256,
    uids: inspected.uids,
    correlationId,
    ...(traceparent === undefined ? {} : { traceparent }),
  });
  switch (accepted.outcome) {
    case "accepted":
      door.turns.accepted(sender);
      door.batches.accepted(batch, requestId, contentSha256);
      return { outcome: "received" };
    case "repeated":
      door.batches.accepted(batch, requestId, contentSha256);
      return { outcome: "received" };
    case "conflict":
      return refused("TX_DATA_ERROR", "The reqId was used before with other content.", [
        { field: "reqId", reason: "was used before with other content" },
      ]);
    case "unknownUsers":
      return await refuseUnknownUsers(door, push, accepted.uids);
    case "busy":
      return accepted;
  }
}

/**
 * @param unknownUsers that were not found; absent: nobody has looked
 * @param meanwhile what this thread does while another has the batch
 */
function inspect(
  door: Doorway,
  push: Push,
  { unknownUsers, meanwhile }: { unknownUsers?: readonly string[]; meanwhile?: () => unknown },
): Promise<InspectOutcome> {
  const { partnerId, requestId, txs, sender } = push;
  const task = { partnerId, requestId, txs, ...(unknownUsers === undefined ? {} : { unknownUsers }) };
  return door.turns.take(sender, () => {
    const inspecting = door.inspect(task);
    meanwhile?.();
    return inspecting;
  });
}

async function orBusy(inspecting: Promise<InspectOutcome>): Promise<InspectOutcome | "busy"> {
  try {
    return await inspecting;
  } catch (error) {
    if (error instanceof Fault && error.code === "BUSY") return "busy";
    throw error;
  }
}

/** Which records name them is told by another look: it is seldom asked, and every good batch is spared a query. */
async function refuseUnknownUsers(door: Doorway, push: Push, unknownUsers: readonly string[]): Promise<Reception> {
  const inspected = await orBusy(inspect(door, push, { unknownUsers }));
  if (inspected === "busy") return { outcome: "busy", retryAfterSeconds: turnRetrySeconds };
  if (inspected.ok) throw new Error("no record names the users that the partner does not have");
  return refused(inspected.errorCode, inspected.message, inspected.details);
}

function refused(
  errorCode: TransactionsError["errorCode"],
  message: string,
  details: TransactionsError["details"],
): Reception {
  return { outcome: "refused", error: { errorCode, message, details: details.map(withoutNowhere) } };
}

/** A negative index means the whole batch, which has no position. */
function withoutNowhere({
  index,
  ...rest
}: TransactionsError["details"][number]): TransactionsError["details"][number] {
  return index === undefined || index < 0 ? rest : { index, ...rest };
}
