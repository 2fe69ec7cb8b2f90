/**
 * Whether what is called probable is as probable: services by the tenth of confidence that they state, and the share of
 * them that is right. Right is a hit; what counts neither way in the score counts neither way here. Pure.
 */
import { itemAt } from "../present.ts";
import type { JudgedUser, Verdict } from "./measure.ts";

/** services: with a confidence in this tenth; stated: the sum of what they state; right: hits among them. */
export type Tenth = { services: number; stated: number; right: number };
export type Reliability = Tenth[];

/** A tenth with what can be said about it. */
export type ReadTenth = { from: number; services: number; statedMean: number; rightShare: number; isEnough: boolean };

const tenths = 10;
/** With fewer services chance alone moves the share by more than what is looked for. */
const servicesMin = 50;
const uncounted: ReadonlySet<Verdict> = new Set(["early", "unjudged"]);

export function emptyReliability(): Reliability {
  return Array.from({ length: tenths }, () => ({ services: 0, stated: 0, right: 0 }));
}

export function addReliability(reliability: Reliability, { services }: JudgedUser): void {
  for (const { service, verdict } of services) {
    if (uncounted.has(verdict)) continue;
    const tenth = itemAt(reliability, Math.min(tenths - 1, Math.floor(service.confidence * tenths)));
    tenth.services++;
    tenth.stated += service.confidence;
    if (verdict === "hit") tenth.right++;
  }
}

/** Tenths in which services stand, from the least confident. */
export function readReliability(reliability: Reliability): ReadTenth[] {
  return reliability.flatMap(({ services, stated, right }, at) =>
    services === 0
      ? []
      : [
          {
            from: at / tenths,
            services,
            statedMean: stated / services,
            rightShare: right / services,
            isEnough: services >= servicesMin,
          },
        ],
  );
}
