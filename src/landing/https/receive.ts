/** The HTTPS door: one pushed batch from its envelope to durable, or back to its sender with every reason. */
import type { InspectOutcome, InspectTask } from "../../../workers/messages.ts";
import type { PushedRequest, RequestAcceptance } from "../accept.ts";
import type { TransactionsError } from "../../interface/push.ts";

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
export async function receive(
  door: PushDoor,
  { partnerId, requestId, txs, body, correlationId }: Push,
): Promise<Reception> {
  const inspected = await door.inspect({ partnerId, requestId, txs });
  if (!inspected.ok) return refused(inspected.errorCode, inspected.message, inspected.details);
  const contentSha256 = Buffer.from(inspected.contentSha256, "hex");
  const accepted = await door.acceptRequest({
    partnerId,
    requestId,
    body,
    contentSha256,
    uids: inspected.uids,
    correlationId,
  });
  switch (accepted.outcome) {
    case "accepted":
    case "repeated":
      return { outcome: "received" };
    case "conflict":
      return refused("TX_DATA_ERROR", "The reqId was used before with other content.", [
        { field: "reqId", reason: "was used before with other content" },
      ]);
    case "unknownUsers":
      return await refuseUnknownUsers(door, { partnerId, requestId, txs, unknownUsers: accepted.uids });
    case "busy":
      return accepted;
  }
}

/** Which records name them is told by another look: it is seldom asked, and every good batch is spared a query. */
async function refuseUnknownUsers(door: PushDoor, task: InspectTask): Promise<Reception> {
  const inspected = await door.inspect(task);
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
