/** What a step of a cancellation gives to tell the user. Pure. */
import type { ContentAbout, Notice, TypeAbout } from "../interface/notification.ts";

/** The service as its case finds it; its amount is the expected payment's. */
type Told = { id: string; userId: number } & Required<Omit<ContentAbout<"SUBSCRIPTION">, "serviceId">>;

/**
 * @param type what the step tells; null: nothing, so the notices are empty
 * @param at when the step was taken: a case that is opened again is told again
 */
export function noticesOfStep(
  { id, userId, product, amount, currency, subscriptionCount }: Told,
  type: TypeAbout<"SUBSCRIPTION"> | null,
  at: Date,
): Notice[] {
  if (type === null) return [];
  return [
    {
      userId,
      type,
      subject: `${id} ${at.toISOString()}`,
      // A service's product has more than a message tells.
      content: {
        product: { title: product.title, imageUrl: product.imageUrl, type: product.type },
        amount,
        currency,
        subscriptionCount,
        serviceId: id,
      },
    },
  ];
}
