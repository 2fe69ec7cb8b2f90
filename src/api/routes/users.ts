/** User handling: endpoints 1, 2 and 3 of the interface. */
import { Type } from "@fastify/type-provider-typebox";
import { logIn } from "../../partners/login.ts";
import { createUser, deleteUser } from "../../partners/users.ts";
import type { ApiContext, App } from "../context.ts";
import { partnerOf, userOf } from "../identify.ts";
import { Refusal } from "../problem.ts";
import { noBody } from "../reply.ts";

/** As constraint users_bank_user_id_length. */
const bankUserIdLengthMax = 200;
/** An RS512 JWT with generous claims takes 2 KiB; the bound keeps the judging of a payload cheap. */
const payloadLengthMax = 16 * 1024;
/** Text that Postgres stores as it stands: no control character, no lone surrogate. */
const storableText = "^[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]+$";

const CreateUserRequestSchema = Type.Object(
  {
    bankUserId: Type.String({
      minLength: 1,
      maxLength: bankUserIdLengthMax,
      pattern: storableText,
      description:
        "Links the user in both systems. A sensitive key, such as a national identity number, must not be used.",
    }),
    brand: Type.String({ description: "One of the partner's brands." }),
    locale: Type.String({
      pattern: "^[A-Za-z]{2,3}[-_]([A-Za-z]{2}|[0-9]{3})$",
      description: "Language of push notifications, for instance da-DK.",
    }),
    details: Type.Optional(Type.Object({}, { description: "Implementation-specific extras, usually empty." })),
  },
  { title: "CreateUserRequest" },
);
const LoginRequestSchema = Type.Object(
  {
    payload: Type.String({
      maxLength: payloadLengthMax,
      description:
        "A JWT signed with a registered login key: sub (bankUserId), the brand claim, exp at most ten minutes ahead; a jti is accepted once. act.sub (RFC 8693) names who acts for the user, such as an adviser: changes of budgets tell it.",
    }),
  },
  { title: "LoginRequest" },
);
const LoginResponseSchema = Type.Object(
  { token: Type.String({ description: "Bearer token, valid for 3600 seconds." }) },
  { title: "LoginResponse" },
);

export async function usersRoutes(scope: App, context: ApiContext): Promise<void> {
  scope.post(
    "/users",
    {
      schema: {
        operationId: "createUser",
        summary: "Create a user",
        description: "The user can log in and be pushed transactions for from now on.",
        tags: ["User handling"],
        body: CreateUserRequestSchema,
        response: { 201: noBody("Created.") },
      },
      config: { refusals: ["USER_EXISTS"], rateClass: "logins" },
    },
    async (request, reply) => {
      const partner = partnerOf(request);
      const { bankUserId, brand, locale, details = {} } = request.body;
      if (!partner.brands.has(brand))
        throw new Refusal("REQUEST_INVALID", {
          errors: [{ pointer: "/brand", message: "is not a brand of the partner" }],
        });
      const created = await createUser(context.database, {
        partnerId: partner.id,
        brandId: brand,
        bankUserId,
        locale,
        details,
      });
      if (!created) throw new Refusal("USER_EXISTS");
      context.events.emit("user.created", { correlationId: request.id, partnerId: partner.id });
      return reply.code(201).send();
    },
  );
  scope.post(
    "/users/logins",
    {
      schema: {
        operationId: "logIn",
        summary: "Log a user in",
        description: "The token stands for the user on every other call.",
        tags: ["User handling"],
        body: LoginRequestSchema,
        response: { 200: LoginResponseSchema },
      },
      config: { refusals: ["LOGIN_INVALID", "USER_UNKNOWN"], produces: "application/json", rateClass: "logins" },
    },
    async (request, reply) => {
      const partner = partnerOf(request);
      const login = await logIn(context.database, context.tokens, partner, request.body.payload, context.clock.now());
      if (login.outcome === "user-unknown") throw new Refusal("USER_UNKNOWN");
      if (login.outcome === "refused") {
        context.events.emit("login.refused", {
          correlationId: request.id,
          partnerId: partner.id,
          reason: login.reason,
        });
        throw new Refusal("LOGIN_INVALID");
      }
      context.events.emit("login.accepted", { correlationId: request.id, partnerId: partner.id });
      return reply.code(200).send({ token: login.token });
    },
  );
}

export async function ownUserRoutes(scope: App, context: ApiContext): Promise<void> {
  scope.delete(
    "/users",
    {
      schema: {
        operationId: "deleteUser",
        summary: "Delete the token's user",
        description:
          "The token stops at once, and nothing of the user is told any more. Data is removed when the retention policy allows.",
        tags: ["User handling"],
        response: { 202: noBody("Accepted.") },
      },
    },
    async (request, reply) => {
      await deleteUser(context.database, userOf(request).id);
      context.events.emit("user.deleted", { correlationId: request.id, partnerId: partnerOf(request).id });
      return reply.code(202).send();
    },
  );
}
