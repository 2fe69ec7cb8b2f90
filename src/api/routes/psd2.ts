/** Connecting a bank: endpoint 6 of the interface, and the confirmation that a partner may ask for, an addition to it. */
import { Type } from "@fastify/type-provider-typebox";
import { confirm, startConnecting } from "../../psd2/flow.ts";
import { mayRedirectTo } from "../../psd2/redirect.ts";
import type { ApiContext, App } from "../context.ts";
import { partnerOf, userOf } from "../identify.ts";
import { Refusal } from "../problem.ts";
import { noBody } from "../reply.ts";
import { invalid } from "./budget-access.ts";

/** As browsers take it. */
const addressLengthMax = 2048;
const hintLengthMax = 100;
/** Text as it is read: no control character, none that turns or hides what stands beside it, no lone surrogate. */
const plainText =
  "^[^\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ud800-\\udfff\\ufeff]+$";
/** As made here: 32 bytes in base64url. */
const codePattern = "^[A-Za-z0-9_-]{43}$";

const Psd2InitiateRequestSchema = Type.Object(
  {
    redirectUrl: Type.Optional(
      Type.String({
        format: "uri",
        maxLength: addressLengthMax,
        description: "Where the browser goes when the flow ends; below one of the partner's registered addresses.",
      }),
    ),
    customerHint: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: hintLengthMax,
        pattern: plainText,
        description:
          "How the page calls the customer for whom the bank is connected, such as a name or the end of a customer number. An addition to the interface.",
      }),
    ),
  },
  { title: "Psd2InitiateRequest" },
);
const Psd2InitiateResponseSchema = Type.Object(
  {
    url: Type.String({
      format: "uri",
      description: "The page to open in a new window, or to redirect the whole page to.",
    }),
    loginId: Type.String({ format: "uuid" }),
  },
  { title: "Psd2InitiateResponse", description: "The login page." },
);

const Psd2ConfirmationSchema = Type.Object(
  {
    loginId: Type.String({ format: "uuid", description: "As psd2/initiate answered it." }),
    code: Type.String({ pattern: codePattern, description: "psd2Code of the redirect. Works once, for some minutes." }),
  },
  { title: "Psd2Confirmation" },
);

export async function psd2Routes(scope: App, context: ApiContext): Promise<void> {
  scope.post(
    "/psd2/initiate",
    {
      // Its only field is optional, so a call without a body says as much as one with {}.
      preValidation: async (request) => {
        request.body ??= {};
      },
      schema: {
        operationId: "initiatePsd2",
        summary: "Begin to connect a bank",
        description:
          "The page works for half an hour, once, and in the browser alone that confirmed it. At its end the browser goes to redirectUrl with psd2Status=SUCCESS, ABORTED or UNKNOWN added, or stays on a page that can be closed.",
        tags: ["PSD2"],
        body: Psd2InitiateRequestSchema,
        response: { 200: Psd2InitiateResponseSchema },
      },
      config: { produces: "application/json", bodyOptional: true },
    },
    async (request, reply) => {
      const { redirectUrl, customerHint } = request.body;
      const partner = partnerOf(request);
      if (redirectUrl === undefined && partner.psd2RequiresConfirmation)
        throw invalid({
          pointer: "/redirectUrl",
          message: "is required: it brings the code that confirms (psd2RequiresConfirmation)",
        });
      if (redirectUrl !== undefined && !mayRedirectTo(redirectUrl, partner.redirectPrefixes)) {
        throw new Refusal("REQUEST_INVALID", {
          errors: [
            {
              pointer: "/redirectUrl",
              message: "is not below one of the partner's registered addresses (psd2.redirectPrefixes)",
            },
          ],
        });
      }
      const started = await startConnecting(context.psd2, {
        userId: userOf(request).id,
        partnerId: partner.id,
        redirectUrl: redirectUrl ?? null,
        customerHint: customerHint ?? null,
        requiresConfirmation: partner.psd2RequiresConfirmation,
      });
      return reply.code(200).send(started);
    },
  );
  scope.post(
    "/psd2/confirmations",
    {
      schema: {
        operationId: "confirmPsd2",
        summary: "Confirm a connected bank",
        description:
          "An addition to the interface, for partners with the setting psd2RequiresConfirmation: the bank counts from this call on, made for the user whose session the redirect came back to.",
        tags: ["PSD2"],
        body: Psd2ConfirmationSchema,
        response: { 200: noBody("Confirmed.") },
      },
      config: { refusals: ["CONFIRMATION_INVALID"] },
    },
    async (request, reply) => {
      const { loginId, code } = request.body;
      const told = { correlationId: request.id, partnerId: partnerOf(request).id, loginId: loginId.toLowerCase() };
      if (!(await confirm(context.psd2, { userId: userOf(request).id, loginId, code })))
        throw new Refusal("CONFIRMATION_INVALID");
      context.events.emit("psd2.confirmed", told);
      return reply.code(200).send();
    },
  );
}
