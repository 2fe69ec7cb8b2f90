/** Steps in cancelling a user's service: the same as `tideline cancellation`. */
import { cancellationAbortReasons } from "../../interface/abort-reasons.ts";
import { takeStep, textLengthMax } from "../../operations/cancellations.ts";
import type { CaseFacts, Step } from "../../recognition/cancellation.ts";
import { casesOf } from "../../recognition/cancellation.ts";
import { listServices } from "../../recognition/overview.ts";
import { isDay } from "../../time/calendar.ts";
import { notFound, Turned } from "../access/guard.ts";
import { actorOf, type ConsoleContext, type Handler, type Visit } from "../context.ts";
import { caseAddress, serviceIdOf } from "../pages/cancellations.ts";
import { ownUser } from "../pages/own-user.ts";

export function stepAction(context: ConsoleContext, step: Step): Handler {
  return async (visit) => {
    const { user, subject } = await ownUser(context, visit);
    const id = serviceIdOf(visit);
    const facts = factsOf(step, visit);
    // A service of somebody else is not to be reached by a user's address.
    const isTheirs =
      (await listServices(context.database, user.id)).some((one) => one.id === id) ||
      (await casesOf(context.database, id)).some(({ userId }) => userId === user.id);
    if (!isTheirs) notFound("service");
    const taken = await takeStep(context.database, actorOf(visit), id, step, facts);
    if (taken.outcome === "unknown") notFound("service");
    if (taken.outcome === "declined") throw new Turned(409, "Not done", taken.why);
    return { goTo: caseAddress(subject, id) };
  };
}

/** What the form says; what is empty stays as it is. @throws Turned */
function factsOf(step: Step, { given }: Visit): CaseFacts {
  const text = (name: string) => given[`${step}-${name}`] ?? "";
  const [message, confirmation, endDate] = [text("message"), text("confirmation"), text("endDate")];
  if (message.length > textLengthMax || confirmation.length > textLengthMax)
    throw new Turned(400, "Too long", `A text has ${textLengthMax} characters at most.`);
  if (step === "ask" && message === "")
    throw new Turned(400, "A question is missing", "Say what the user is asked for.");
  if (endDate !== "" && !isDay(endDate))
    throw new Turned(400, "No day", "The last payment is a day such as 2026-11-23.");
  const abortReason = cancellationAbortReasons.find((one) => one === text("reason"));
  if (step === "abort" && abortReason === undefined) throw new Turned(400, "No reason", "Choose why it is given up.");
  const yes = (name: "equipmentBack" | "moneyBack") => (text(name) === "" ? {} : { [name]: text(name) === "yes" });
  return {
    ...(message === "" ? {} : { freeTextMessage: message }),
    ...(confirmation === "" ? {} : { confirmationContent: confirmation }),
    ...(endDate === "" ? {} : { endDate }),
    ...(abortReason === undefined ? {} : { abortReason }),
    ...yes("equipmentBack"),
    ...yes("moneyBack"),
  };
}
