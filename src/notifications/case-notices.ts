/** What a step of a cancellation gives to tell the user. Pure. */
import type { Notice, NotificationType } from "../interface/notification.ts";

type Told = {
  id: string;
  userId: number;
  product: { title: string; imageUrl: string; type: "SUBSCRIPTION" | "OTHER_RECURRING" };
};

const typesOfSteps: Readonly<Partial<Record<string, NotificationType>>> = {
  ask: "CANCELLATION_MOREINFOREQUIRED",
  confirm: "CANCELLATION_COMPLETED",
  abort: "CANCELLATION_ABORTED",
};

/**
 * @param at when the step was taken: a case that is opened again is told again. Empty: the step is none of the user's
 * business
 */
export function noticesOfStep(service: Told, step: string, at: Date): Notice[] {
  const type = typesOfSteps[step];
  if (type === undefined) return [];
  return [
    {
      userId: service.userId,
      type,
      subject: `${service.id} ${at.toISOString()}`,
      content: { product: service.product, serviceId: service.id },
      isFixedExpense: false,
    },
  ];
}
