/** One service: what was paid when, as a line of prices, with what is expected, what did not come and what came back. Pure. */
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
  evenScale,
  legend,
  monthLines,
  round,
  shortened,
  todayLine,
  told,
  width,
  wrapped,
} from "./drawing.ts";
import { missedDays } from "./missed-days.ts";
import { isExpected } from "./user-plot.ts";
import { frequencyWords } from "./words.ts";

export type PlottedService = {
  bankUserId: string;
  partnerId: string;
  asOf: Day;
  service: Service;
  /** As `explain` tells it. */
  explanation: string;
};

const yearsBefore = 5;
const plotHeight = 300;
const left = edge + 64;
const right = width - edge - 10;
const missedColour = "#b3261e";
const refundColour = "#7b3fa0";

export function plotService({ bankUserId, partnerId, asOf, service, explanation }: PlottedService): string {
  const { product, paymentFrequency, amount, currency, status, visibility, confidence } = service;
  const sure = confidence === undefined ? "" : `, ${Math.round(confidence * 100)} % sure`;
  const every = frequencyWords[paymentFrequency];
  const says = [
    `User ${shortened(bankUserId, 40)} of ${partnerId}, as of ${asOf}. ${every.charAt(0).toUpperCase()}${every.slice(1)}, ${amount.toFixed(2)} ${currency}; ${status.toLowerCase().replaceAll("_", " ")}, ${visibility.toLowerCase()}${sure}. Personal data.`,
    ...wrapped(explanation),
  ];
  const begin = addMonths(asOf, -12 * yearsBefore);
  const payments = service.payments.toSorted((a, b) => (a.date < b.date ? -1 : 1)).filter(({ date }) => date >= begin);
  const refunds = (service.refunds ?? []).filter(({ date }) => date >= begin);
  const next = service.nextExpectedTransactionDate;
  const first = payments.reduce((day, one) => (one.date < day ? one.date : day), asOf);
  const end = isExpected(service) && next > asOf ? next : asOf;
  const days = daysScale(addDays(first, -10), addDays(end, 14), left, right);
  const top = bodyFrom(says) + 10;
  const bottom = top + plotHeight;
  const amounts = evenScale(
    [amount, ...payments.map((one) => one.amount), ...refunds.map((one) => -one.amount)],
    top,
    bottom,
  );
  const colour = colourOf(0);
  const steps = payments.map(({ date, amount: paid }, at) =>
    at === 0 ? `M${days.x(date)} ${amounts.y(paid)}` : `H${days.x(date)}V${amounts.y(paid)}`,
  );
  const change = service.priceChange ?? null;
  const entries = [
    [(x: number, y: number) => dot(x, y, colour), "paid"],
    [(x: number, y: number) => diamond(x, y, colour), "expected next"],
    [(x: number, y: number) => cross(x, y, missedColour), "due, and nothing came"],
    ...(refunds.length === 0 ? [] : [[(x: number, y: number) => dot(x, y, refundColour), "came back"] as const]),
  ] as const;
  return drawing({
    title: product.title,
    says,
    height: bottom + 66,
    body: [
      `<text class="said" x="${edge}" y="${top - 8}">${currency}</text>`,
      amountLines(amounts, left, right),
      monthLines(days, top, bottom),
      todayLine(days, asOf, top, bottom),
      `<path d="${steps.join("")}" fill="none" stroke="${colour}" stroke-opacity=".4" stroke-width="2"/>`,
      ...(change === null || change.date < begin ? [] : [priceChange(change, days.x(change.date), top, bottom)]),
      ...missedDays(service)
        .filter((day) => days.holds(day))
        .map((day) => told(`nothing came about ${day}`, cross(days.x(day), round(bottom - 8), missedColour))),
      ...refunds.map((one) =>
        told(
          `${one.date}: ${(-one.amount).toFixed(2)} ${one.currency} came back`,
          dot(days.x(one.date), amounts.y(-one.amount), refundColour),
        ),
      ),
      ...payments.map((one) =>
        told(
          `${one.date}: ${one.amount.toFixed(2)} ${one.currency}`,
          dot(days.x(one.date), amounts.y(one.amount), colour, 4.5),
        ),
      ),
      ...(isExpected(service)
        ? [
            told(
              `expected on ${next}: ${amount.toFixed(2)} ${currency}`,
              diamond(days.x(next), amounts.y(amount), colour),
            ),
            `<text class="mark end halo" x="${days.x(next) - 10}" y="${amounts.y(amount) - 10}">${next}</text>`,
          ]
        : []),
      legend(entries, bottom + 42),
    ].join("\n"),
  });
}

function priceChange(
  { from, to, date }: { from: number; to: number; date: Day },
  x: number,
  top: number,
  bottom: number,
): string {
  const anchor = x > (left + right) / 2 ? "end" : "start";
  const at = anchor === "end" ? x - 6 : x + 6;
  return `<line x1="${x}" x2="${x}" y1="${top}" y2="${bottom}" stroke="#9a5b00" stroke-dasharray="2 3"/><text class="said" style="text-anchor:${anchor}" x="${at}" y="${top + 12}">${from.toFixed(2)} → ${to.toFixed(2)} on ${date}</text>`;
}
