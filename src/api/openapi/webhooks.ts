/** Endpoint 32 of the interface, which the partner serves and we call: for the OpenAPI document only. */
import type { OpenAPIV3_1 } from "openapi-types";
import { ReceiveNotificationRequestSchema } from "../../interface/notification-schema.ts";

const text = { type: "string" } as const;

export const notificationsWebhook = {
  post: {
    operationId: "receiveNotification",
    summary: "Take a notification for a user",
    description:
      "Sent to {notification_url}/notifications, at least once and in order per user. Anything but a success, and no answer within 15 seconds, is tried again for up to 72 hours; " +
      "a 4xx other than 401, 408, 425 and 429 is final. Signed as Standard Webhooks describes.",
    tags: ["Notifications"],
    security: [{ Receiver: [] }],
    parameters: [
      {
        name: "X-Correlation-ID",
        in: "header",
        required: true,
        description: "Of the call, or of the delivery, that gave the message; else the notificationId.",
        schema: text,
      },
      {
        name: "traceparent",
        in: "header",
        description: "W3C Trace Context, where the call that gave the message had one.",
        schema: text,
      },
      {
        name: "webhook-id",
        in: "header",
        required: true,
        description: "The notificationId: the same for each try.",
        schema: text,
      },
      {
        name: "webhook-timestamp",
        in: "header",
        required: true,
        description: "Seconds since 1970, of this try.",
        schema: text,
      },
      { name: "webhook-signature", in: "header", required: true, description: "HMAC-SHA256 or Ed25519.", schema: text },
    ],
    requestBody: { required: true, content: { "application/json": { schema: ReceiveNotificationRequestSchema } } },
    responses: {
      202: { description: "Notifications received." },
      401: { description: "The token is invalid or has expired; a new one is fetched and the call repeated at once." },
    },
  },
} as unknown as OpenAPIV3_1.PathItemObject;
