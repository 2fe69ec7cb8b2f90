/** What a partner's receiver is sent. Source: interface document, "Events". Fields are in the order of its tables. */
import { Type } from "typebox";
import { CurrencySchema } from "./record.ts";
import { ProductTypeSchema } from "./services.ts";
import { notificationSubjects, notificationTypeNames } from "./notification.ts";

const subjects = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(notificationSubjects);

const TranslationSchema = Type.Object(
  { title: Type.String(), body: Type.String() },
  { title: "NotificationTranslation" },
);
const TextsSchema = Type.Object(
  { en: TranslationSchema },
  {
    additionalProperties: TranslationSchema,
    description:
      "By language; English is always there, and the language of suggestedLocale where a text is kept for it.",
  },
);
const ParamsSchema = Type.Object(
  {
    name: Type.String({ description: `What it is about: ${subjects}.` }),
    params: Type.Record(Type.String(), Type.String(), {
      description: "notificationId names the message: one that comes twice is the same.",
    }),
  },
  { title: "NotificationParams" },
);
const ProductSchema = Type.Object(
  {
    title: Type.String(),
    imageUrl: Type.String({ format: "uri" }),
    type: ProductTypeSchema,
  },
  { title: "NotificationProduct" },
);
const DataSchema = Type.Object(
  {
    productTitle: Type.String(),
    productImageUrl: Type.String({ format: "uri" }),
    productType: ProductTypeSchema,
    product: ProductSchema,
    subscriptionCount: Type.Optional(Type.Integer({ minimum: 0 })),
    amount: Type.Optional(Type.Number()),
    currency: Type.Optional(CurrencySchema),
  },
  { title: "NotificationData" },
);

const NotificationSchema = Type.Object(
  {
    type: Type.Enum(notificationTypeNames, { title: "NotificationType" }),
    country: Type.String({ pattern: "^[A-Z]{2}$", description: "The receiving user's." }),
    userId: Type.String({ description: "The bankUserId." }),
    suggestedLocale: Type.String({ description: "For display, such as da-dk." }),
    payload: Type.Array(ParamsSchema),
    texts: Type.Union([TextsSchema, Type.Array(TextsSchema, { minItems: 1, maxItems: 1 })], {
      description: "The map; within an array for a partner whose receiver reads it so.",
    }),
    data: Type.Optional(DataSchema),
  },
  { title: "Notification" },
);

export const ReceiveNotificationRequestSchema = Type.Object(
  { notification: NotificationSchema },
  { title: "ReceiveNotificationRequest" },
);
