/** One user: each service a lane with its payments and the next one, and all that was paid below, by amount. Pure. */
import type { Service } from "../../interface/services.ts";
import { addDays, addMonths, type Day } from "../../time/calendar.ts";
import {
  amountLines,
  bodyFrom,
  colourOf,
  cross,
  daysScale,
  diamond,
  dot,
  drawing,
  edge,
  escape,
  legend,
  logarithmicScale,
  monthLines,
  round,
  shortened,
  todayLine,
  told,
  width,
  wrapped,
} from "./drawing.ts";
import { missedDays } from "./missed-days.ts";
import { frequencyWords } from "./words.ts";

/** A payment that left an account: positive, in the user's currency. */
export type Paid = { txid: string; day: Day; amount: number };

export type PlottedUser = {
  /** The bank's id of the user, and the bank's. */
  bankUserId: string;
  partnerId: string;
  currency: string;
  asOf: Day;
  services: readonly Service[];
  /** All that was paid, whether for a service or not. */
  paid: readonly Paid[];
};

const monthsBefore = 25;
/** A yearly payment's next date is no further off. */
const monthsAfter = 13;
const laneHeight = 34;
const labelWidth = 290;
const amountsHeight = 230;
const otherColour = "#a3adb8";

export function plotUser(user: PlottedUser): string {
  const { services, paid, asOf, currency } = user;
  const ordered = services.toSorted(byStanding);
  const shown = ordered.filter(({ visibility }) => visibility === "VISIBLE").length;
  const says = wrapped(
    `As of ${asOf}: ${services.length} services, ${shown} of them shown without asking; ${paid.length} payments. Personal data of one user, without names or account numbers of the user.`,
  );
  const last = ordered
    .filter(isExpected)
    .reduce((day, one) => (one.nextExpectedTransactionDate > day ? one.nextExpectedTransactionDate : day), asOf);
  const earliest = paid.reduce((day, one) => (one.day < day ? one.day : day), asOf);
  const latest = addMonths(asOf, monthsAfter);
  const begin = addMonths(asOf, -monthsBefore);
  const days = daysScale(
    earliest > begin ? earliest : begin,
    addDays(last < latest ? last : latest, 12),
    edge + labelWidth,
    width - edge - 10,
  );
  const top = bodyFrom(says) + 28;
  const lanesBottom = top + 14 + ordered.length * laneHeight;
  const amountsTop = lanesBottom + 74;
  const amountsBottom = amountsTop + amountsHeight;
  const amounts = logarithmicScale(
    paid.map(({ amount }) => amount),
    amountsTop,
    amountsBottom,
  );
  const colours = new Map(
    ordered.flatMap((service, at) =>
      service.payments.map(({ sourceTransactionId }) => [sourceTransactionId, colourOf(at)] as const),
    ),
  );
  const inSight = paid.filter(({ day }) => days.holds(day));
  const point = ({ txid, day, amount }: Paid): string => {
    const colour = colours.get(txid);
    return told(
      `${day}: ${amount.toFixed(2)} ${currency}`,
      dot(days.x(day), amounts.y(amount), colour ?? otherColour, colour === undefined ? 2.2 : 3.6),
    );
  };
  // What is recognised lies on top.
  const points = [
    ...inSight.filter(({ txid }) => !colours.has(txid)),
    ...inSight.filter(({ txid }) => colours.has(txid)),
  ];
  const entries = [
    [(x: number, y: number) => dot(x, y, colourOf(0)), "paid"],
    [(x: number, y: number) => diamond(x, y, colourOf(0)), "expected next"],
    [(x: number, y: number) => cross(x, y, "#b3261e"), "due, and nothing came"],
    [(x: number, y: number) => dot(x, y, otherColour, 3), "paid for no service"],
  ] as const;
  return drawing({
    title: `User ${user.bankUserId} of ${user.partnerId}`,
    says,
    height: amountsBottom + 68,
    body: [
      `<text class="part" x="${edge}" y="${top - 4}">Services</text>`,
      monthLines(days, top, lanesBottom),
      todayLine(days, asOf, top, lanesBottom),
      ...ordered.map((service, at) => lane(service, colourOf(at), round(top + 14 + (at + 0.5) * laneHeight), days)),
      `<text class="part" x="${edge}" y="${amountsTop - 22}">All payments</text><text class="said" x="${edge}" y="${amountsTop - 4}">${escape(currency)}, logarithmic</text>`,
      amountLines(amounts, edge + labelWidth, width - edge - 10),
      monthLines(days, amountsTop, amountsBottom),
      todayLine(days, asOf, amountsTop, amountsBottom),
      ...points.map(point),
      ...ordered.flatMap((service, at) =>
        isExpected(service) && days.holds(service.nextExpectedTransactionDate)
          ? [diamond(days.x(service.nextExpectedTransactionDate), amounts.y(service.amount), colourOf(at))]
          : [],
      ),
      legend(entries, amountsBottom + 44),
    ].join("\n"),
  });
}

/** Running ones first, of each the most sure. */
function byStanding(a: Service, b: Service): number {
  return rank(a) - rank(b) || (b.confidence ?? 0) - (a.confidence ?? 0) || (a.id < b.id ? -1 : 1);
}

function rank({ status, visibility }: Service): number {
  return (isOver(status) ? 3 : 0) + ["VISIBLE", "UNDECIDED", "HIDDEN"].indexOf(visibility);
}

function isOver(status: Service["status"]): boolean {
  return status === "INACTIVE" || status === "CANCELLED";
}

/** One that is over, or comes at no fixed interval, has no next payment to wait for. */
export function isExpected({ status, paymentFrequency }: Service): boolean {
  return !isOver(status) && paymentFrequency !== "UNKNOWN";
}

function lane(service: Service, colour: string, y: number, days: ReturnType<typeof daysScale>): string {
  const { payments, product, status, visibility, paymentFrequency, amount, currency, confidence } = service;
  const said = [
    frequencyWords[paymentFrequency],
    `${amount.toFixed(2)} ${currency}`,
    ...(confidence === undefined ? [] : [`${Math.round(confidence * 100)} %`]),
    ...(status === "ACTIVE" ? [] : [status.toLowerCase().replaceAll("_", " ")]),
    ...(visibility === "VISIBLE" ? [] : [visibility === "HIDDEN" ? "hidden" : "asked about"]),
  ].join(", ");
  const seen = payments.filter(({ date }) => days.holds(date)).map(({ date }) => days.x(date));
  const next = service.nextExpectedTransactionDate;
  const ends = [...seen, ...(isExpected(service) && days.holds(next) ? [days.x(next)] : [])];
  return [
    `<text class="name" x="${edge}" y="${y - 2}">${escape(shortened(product.title, 34))}</text><text class="said" x="${edge}" y="${y + 12}">${escape(shortened(said, 44))}</text>`,
    ends.length === 0
      ? ""
      : `<line x1="${Math.min(...ends)}" x2="${Math.max(...ends)}" y1="${y}" y2="${y}" stroke="${colour}" stroke-opacity=".35" stroke-width="2"/>`,
    ...payments
      .filter(({ date }) => days.holds(date))
      .map((one) => told(`${one.date}: ${one.amount.toFixed(2)} ${one.currency}`, dot(days.x(one.date), y, colour))),
    ...missedDays(service)
      .filter((day) => days.holds(day))
      .map((day) => told(`nothing came about ${day}`, cross(days.x(day), y, "#b3261e"))),
    ...(isExpected(service) && days.holds(next)
      ? [told(`expected on ${next}: ${amount.toFixed(2)} ${currency}`, diamond(days.x(next), y, colour))]
      : []),
  ].join("");
}
