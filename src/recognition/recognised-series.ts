/** What recognition found, as far as categorising needs it. Pure. */
import type { RecognisedSeries } from "../categories/budget-history.ts";
import type { RecognisedService, Recognition } from "./recognise.ts";

/** Services and income as `recognise` finds them. */
export function seriesOf({ services, income }: Recognition): RecognisedSeries[] {
  return [...services, ...income].map(oneSeries);
}

function oneSeries({ direction, productId, paymentFrequency, payments }: RecognisedService): RecognisedSeries {
  return { direction, productId, paymentFrequency, txids: payments.map(({ txid }) => txid) };
}
