/** What needs a person, each with what can be done about it: the worst first. */
import type { Delivery } from "../../../deliveries/deliveries.ts";
import { errorCatalogue } from "../../../errors.ts";
import type { WatchedDisk } from "../../../landing/disk-guard.ts";
import type { ExpectedAround } from "../../../landing/expected/around.ts";
import { isAtLeast } from "../../access/accounts.ts";
import type { Visit } from "../../context.ts";
import { bytes, countOf, listed, outcomeOf, type Tone } from "../../templates/figures.ts";
import { actionButton } from "../../templates/forms.ts";
import { html, type Html } from "../../templates/html.ts";
import { clockIn } from "../../templates/times.ts";
import type { Zones } from "../zones.ts";
import type { Night } from "./night.ts";

export type Attention = { tone: Tone; word: string; what: string; detail: string; actions: Html };

const order: readonly Tone[] = ["bad", "warn", "calm", "good"];
const shownMax = 12;
/** More are told in one line. */
const unguardedShownMax = 5;

/** @returns of a scope always the same, but for the buttons */
export function attention(visit: Visit, night: Night): Attention[] {
  const { unguarded } = night;
  return [
    ...night.low.map(ofDisk),
    ...ofAllMissing(night),
    ...night.held.slice(0, shownMax).map((delivery) => ofHeld(delivery, visit)),
    ...(unguarded.length <= unguardedShownMax ? unguarded.map(ofUnguarded) : [ofManyUnguarded(unguarded)]),
  ].toSorted((a, b) => order.indexOf(a.tone) - order.indexOf(b.tone));
}

function ofDisk({ names, freeBytes }: WatchedDisk): Attention {
  return {
    tone: "bad",
    word: "disk full",
    what: `The disk of ${listed(names)} has ${bytes(freeBytes)} left`,
    detail: "No new files and batches are taken until there is room; what was accepted goes on.",
    actions: html``,
  };
}

/** Those of the night one by one, and how many of earlier days never came: nobody reads hundreds of lines. */
function ofAllMissing({ expected, since, zones }: Night): Attention[] {
  const missing = expected.filter(({ state }) => state === "missing");
  const ofNight = missing.filter(({ dueAt }) => dueAt >= since);
  const earlier = missing.length - ofNight.length;
  const more = ofNight.length - shownMax;
  const lead = html`<a class="button second" href="#expected">Look</a>`;
  return [
    ...ofNight.slice(0, shownMax).map((one) => ofMissing(one, zones)),
    ...(more > 0
      ? [
          {
            tone: "bad" as const,
            word: "missing",
            what: `${countOf(more, "more file")} of this night`,
            detail: "listed below",
            actions: lead,
          },
        ]
      : []),
    ...(earlier > 0
      ? [
          {
            tone: "warn" as const,
            word: "missing",
            what: `${countOf(earlier, "file")} of earlier days never came`,
            detail: "They close by themselves when they come, and when the partner’s setting expectedFiles drops them.",
            actions: lead,
          },
        ]
      : []),
  ];
}

function ofMissing({ partnerId, name, dueDay, dueAt }: ExpectedAround, zones: Zones): Attention {
  return {
    tone: "bad",
    word: "missing",
    what: `${partnerId}: ${name} of ${dueDay}`,
    detail: `was due at ${clockIn(zones.of(partnerId), dueAt)} (${clockIn("UTC", dueAt)} UTC)`,
    actions: html`<a class="button second" href="/console/deliveries?partner=${encodeURIComponent(partnerId)}"
      >What came</a
    >`,
  };
}

function ofHeld(delivery: Delivery, { account, formToken }: Visit): Attention {
  const { tone, text } = outcomeOf(delivery);
  const at = `/console/deliveries/${delivery.id}`;
  const about = delivery.name ?? delivery.requestId ?? delivery.id;
  const isGivenUp = delivery.refusalCode === "LOAD_ABANDONED" || delivery.refusalCode === "LOAD_CANCELLED";
  const button = isGivenUp
    ? actionButton(`${at}/retry`, formToken, "Retry", { about })
    : actionButton(`${at}/release`, formToken, "Release", { about });
  return {
    tone,
    word: text,
    what: `${delivery.partnerId}: ${about}`,
    detail: detailOf(delivery),
    actions: html`<a class="button second" href="${at}">Look<span class="unseen"> at ${about}</span></a
      >${isAtLeast(account.role, "operator") && button}`,
  };
}

function detailOf({ refusalCode, recordsRefused, recordsWaiting, batchesRefused, records }: Delivery): string {
  if (refusalCode !== null) return sentenceOf(refusalCode);
  const parts = [
    recordsRefused > 0 && `${countOf(recordsRefused, "record")} refused`,
    batchesRefused > 0 && `${countOf(batchesRefused, "batch", "batches")} refused`,
    recordsWaiting > 0 && `${countOf(recordsWaiting, "record waits", "records wait")} for a user`,
  ].filter((part) => part !== false);
  return `${parts.join(", ")}, of ${countOf(records, "record")}`;
}

function sentenceOf(code: string): string {
  const entry = (errorCatalogue as Readonly<Record<string, { sentence?: string }>>)[code];
  return entry?.sentence ?? code;
}

function ofUnguarded(partnerId: string): Attention {
  return {
    tone: "calm",
    word: "open",
    what: `${partnerId}: nothing holds callers back`,
    detail: "It has no network, certificate or signature rule, so that it is served on this machine only.",
    actions: html``,
  };
}

function ofManyUnguarded(partnerIds: readonly string[]): Attention {
  return {
    tone: "calm",
    word: "open",
    what: `${countOf(partnerIds.length, "partner")}: nothing holds callers back`,
    detail: `${partnerIds.slice(0, unguardedShownMax).join(", ")} and others have no network, certificate or signature rule, so that they are served on this machine only.`,
    actions: html`<a class="button second" href="/console/partners">Look</a>`,
  };
}
