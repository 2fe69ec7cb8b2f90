/** Connecting a bank: endpoint 6 of the interface. */
import { Type } from "@fastify/type-provider-typebox";
import { startConnecting } from "../../psd2/flow.ts";
import { mayRedirectTo } from "../../psd2/redirect.ts";
import type { ApiContext, App } from "../context.ts";
import { partnerOf, userOf } from "../identify.ts";
import { Refusal } from "../problem.ts";

/** As browsers take it. */
const addressLengthMax = 2048;

const Psd2InitiateRequestSchema = Type.Object(
  {
    redirectUrl: Type.Optional(
      Type.String({
        format: "uri",
        maxLength: addressLengthMax,
        description: "Where the browser goes when the flow ends; below one of the partner's registered addresses.",
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
          "The page works for half an hour and once. At its end the browser goes to redirectUrl with psd2Status=SUCCESS, ABORTED or UNKNOWN added, or stays on a page that can be closed.",
        tags: ["PSD2"],
        body: Psd2InitiateRequestSchema,
        response: { 200: Psd2InitiateResponseSchema },
      },
      config: { produces: "application/json", bodyOptional: true },
    },
    async (request, reply) => {
      const { redirectUrl } = request.body;
      const partner = partnerOf(request);
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
      });
      return reply.code(200).send(started);
    },
  );
}
