/** What a step of a cancellation gives to tell the user. Pure. */
import type { ContentAbout, Notice, TypeAbout } from "../interface/notification.ts";

type Told = { id: string; userId: number; product: ContentAbout<"SUBSCRIPTION">["product"] };

/**
 * @param type what the step tells; null: nothing, so the notices are empty
 * @param at when the step was taken: a case that is opened again is told again
 */
export function noticesOfStep(service: Told, type: TypeAbout<"SUBSCRIPTION"> | null, at: Date): Notice[] {
  if (type === null) return [];
  return [
    {
      userId: service.userId,
      type,
      subject: `${service.id} ${at.toISOString()}`,
      content: { product: service.product, serviceId: service.id },
    },
  ];
}
