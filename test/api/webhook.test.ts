/** Each notification that a receiver gets is as the OpenAPI document's webhook says. */
import test from "ava";
import type { OpenAPIV3_1 } from "openapi-types";
import type { TSchema } from "typebox";
import { Errors } from "typebox/value";
import { openApiDocument } from "../../src/api/server.ts";
import { bodyOf } from "../../src/notifications/body.ts";
import {
  type ContentAbout,
  type Message,
  type NotificationSubject,
  notificationTypeNames,
  notificationTypes,
} from "../../src/interface/notification.ts";
import { resolve } from "./operations.ts";

const product = { title: "Music", imageUrl: "https://bank.example/music.svg", type: "SUBSCRIPTION" } as const;
const contents: { readonly [Subject in NotificationSubject]: readonly ContentAbout<Subject>[] } = {
  SUBSCRIPTION: [
    { product, amount: 99, currency: "DKK", serviceId: "s-1", subscriptionCount: 3 },
    { product, serviceId: "s-1" },
  ],
  BUDGET: [{ budgetId: "b-1", budgetStatus: "READY" }],
  ACCOUNT: [{ consentId: "c-1", bankName: "Sandbox Bank" }],
  TEST: [{}],
};

test("whatever a receiver is sent is as the document says, and the document's example too", async (t) => {
  const document = await openApiDocument();
  const webhook = document.webhooks?.["notifications"] as OpenAPIV3_1.PathItemObject | undefined;
  const operation = webhook?.post;
  const body = operation?.requestBody as OpenAPIV3_1.RequestBodyObject | undefined;
  const schema = resolve(body?.content["application/json"]?.schema, document) as TSchema & { examples: unknown[] };
  t.deepEqual(Errors(schema, schema.examples[0]), []);
  t.deepEqual(Object.keys(operation?.responses ?? {}), ["202", "401"]);
  for (const type of notificationTypeNames) {
    for (const content of contents[notificationTypes[type].about]) {
      const outgoing = {
        id: "7d1f46c0-2b9a-4e35-8000-00000000002a",
        partnerId: "north",
        ...({ type, content } as Message),
        bankUserId: "anna",
        locale: "da_DK",
        country: "",
        deepLink: "https://bank.example/{serviceId}",
        createdAt: new Date(),
        firstAttemptAt: new Date(),
        attempts: 1,
        correlationId: null,
        traceparent: null,
      };
      for (const shape of ["map", "array"] as const)
        t.deepEqual(Errors(schema, JSON.parse(bodyOf(outgoing, shape))), [], `${type} ${shape}`);
    }
  }
  t.not(Errors(schema, { notification: { type: "NEW_PAYMENT" } }).length, 0);
});
