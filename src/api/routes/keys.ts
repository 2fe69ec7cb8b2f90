/** The keys to which senders encrypt. An addition to the interface, which leaves the exchange of keys open. */
import { Type } from "@fastify/type-provider-typebox";
import { publicBatchKeys } from "../../partners/keys/batch-keys.ts";
import { publishedSigningKeys } from "../../partners/keys/signing-keys.ts";
import type { ApiContext, App } from "../context.ts";
import { partnerOf } from "../identify.ts";
import { sendJson } from "../reply.ts";

/** Far below any overlap of two keys, so that a cached set never leads to a retired key. */
const cacheSeconds = 300;

const KeySetSchema = Type.Object(
  {
    keys: Type.Array(
      Type.Union([
        Type.Object(
          {
            kty: Type.Literal("RSA"),
            n: Type.String(),
            e: Type.String(),
            use: Type.Literal("enc"),
            alg: Type.Literal("RSA-OAEP"),
            kid: Type.String({ description: "RFC 7638 thumbprint; goes into the JWE header." }),
          },
          { title: "EncryptionKey" },
        ),
        Type.Object(
          {
            kty: Type.Literal("OKP"),
            crv: Type.Literal("Ed25519"),
            x: Type.String(),
            use: Type.Literal("sig"),
            alg: Type.Literal("EdDSA"),
            kid: Type.String({ description: "RFC 7638 thumbprint; stands in the signatures' header." }),
          },
          { title: "ReceiptKey", description: "Verifies the signatures of receipts (`NAME.receipt.json.jws`)." },
        ),
      ]),
    ),
  },
  {
    title: "KeySet",
    description:
      "JWK Set (RFC 7517): the current encryption key first, then the next one; then the keys that signed receipts.",
  },
);

export async function keysRoutes(scope: App, context: ApiContext): Promise<void> {
  scope.get(
    "/.well-known/jwks.json",
    {
      schema: {
        operationId: "listEncryptionKeys",
        summary: "List the keys to encrypt batches to",
        description:
          "A JSON Web Key Set (RFC 7517): the current key, then the one that will take its place. Encrypt to the first; batches under either are opened, and those under an earlier key for an overlap. Behind them, with `use: sig`, stand the keys by which receipts are verified, earlier ones too.",
        tags: ["Transactions"],
        response: { 200: KeySetSchema },
      },
      config: { produces: "application/json", rateClass: "keys" },
    },
    async (request, reply) => {
      const keys = [
        ...(await publicBatchKeys(context.database, partnerOf(request).id)),
        ...(await publishedSigningKeys(context.database, "receipt-signing")),
      ];
      return sendJson(reply.header("cache-control", `public, max-age=${cacheSeconds}`), JSON.stringify({ keys }));
    },
  );
}
