/** The HTTPS door: one pushed batch from its envelope to durable, or back to its sender with every reason. */
import type { InspectOutcome, InspectTask } from "../../../workers/messages.ts";
import type { PushedRequest, RequestAcceptance } from "../accept.ts";
import type { TransactionsError } from "./envelope.ts";

export type PushDoor = {
  /** Opens and checks a batch off the main thread; writes nothing. */
  inspect(task: InspectTask): Promise<InspectOutcome>;
  /** Makes an inspected batch durable. */
  acceptRequest(request: PushedRequest): Promise<RequestAcceptance>;
};

export type Push = {
  partnerId: string;
  requestId: string;
  txs: string;
  /** The request body as it came: what is kept. */
  body: Buffer;
  correlationId: string;
};

export type Reception =
  | { outcome: "received" }
  /** Repeating the identical request does not help. */
  | { outcome: "refused"; error: TransactionsError }
  | { outcome: "busy"; retryAfterSeconds: number };

/** All or nothing: "received" means durable, everything else that nothing was kept. Idempotent by requestId. */
export async function receive(door: PushDoor, push: Push): Promise<Reception> {
  const inspected = await door.inspect({ partnerId: push.partnerId, requestId: push.requestId, txs: push.txs });
  if (!inspected.ok) return refused(inspected.errorCode, inspected.message, inspected.details);
  const { partnerId, requestId, body, correlationId } = push;
  const contentSha256 = Buffer.from(inspected.contentSha256, "hex");
  const accepted = await door.acceptRequest({ partnerId, requestId, body, contentSha256, correlationId });
  switch (accepted.outcome) {
    case "accepted":
    case "repeated":
      return { outcome: "received" };
    case "conflict":
      return refused("TX_DATA_ERROR", "The reqId was used before with other content.", [{ field: "reqId", reason: "was used before with other content" }]);
    case "busy":
      return accepted;
  }
}

function refused(errorCode: TransactionsError["errorCode"], message: string, details: TransactionsError["details"]): Reception {
  return { outcome: "refused", error: { errorCode, message, details: details.map(withoutNowhere) } };
}

/** A negative index means the whole batch, which has no position. */
function withoutNowhere({ index, ...place }: TransactionsError["details"][number]): TransactionsError["details"][number] {
  return index === undefined || index < 0 ? place : { index, ...place };
}
