/** The envelope of a pushed batch, and what is sealed in it. Source: interface document, "Transactions (push)". */
import { type Static, Type } from "typebox";
import { requestRecordsMax, requestTokenLengthMax } from "../../config/limits.ts";
import { RawTransactionSchema } from "./record.ts";

export const JweParamsSchema = Type.Object(
  {
    alg: Type.Literal("RSA-OAEP", {
      description: "How the content key is encrypted: RSAES OAEP with default parameters.",
    }),
    enc: Type.Literal("A256GCM", { description: "How the content is encrypted: AES-GCM with a key of 256 bits." }),
    kid: Type.String({ description: "Names the key of the partner's JWKS to which the content key is encrypted." }),
    zip: Type.Optional(
      Type.Literal("DEF", { description: "DEFLATE (RFC 1951); without it the plaintext is as it is." }),
    ),
  },
  { title: "JweParams", description: "The protected header of a batch's JWE (RFC 7516)." },
);

/** What a JWE holds is nothing that a call carries: it is told for those who seal one. */
const SealedBatchSchema = Type.Object(
  {
    header: JweParamsSchema,
    plaintext: Type.Array(RawTransactionSchema, {
      maxItems: requestRecordsMax,
      description: "The records, of one or several users, as JSON in UTF-8.",
    }),
  },
  { title: "SealedBatch", description: "A batch before it is sealed: the JWE's header, and what it encrypts." },
);

export const TransactionsRequestSchema = Type.Object(
  {
    reqId: Type.String({ format: "uuid", description: "One content, however often it is sent." }),
    txs: Type.String({
      minLength: 1,
      maxLength: requestTokenLengthMax,
      description: "Compact JWE (RFC 7516) over a JSON array of at most 750 RawTransaction objects.",
      contentMediaType: "application/jose",
      contentSchema: SealedBatchSchema,
    }),
  },
  { title: "TransactionsRequest" },
);
export type TransactionsRequest = Static<typeof TransactionsRequestSchema>;

export const TransactionsErrorSchema = Type.Object(
  {
    errorCode: Type.Enum(["TX_DATA_ERROR", "SIGNATURE_ERROR", "DECRYPTION_ERROR", "UNKNOWN_ERROR"], {
      title: "TransactionsErrorCode",
      description: "What is wrong: records, signature, sealing, or the envelope.",
    }),
    message: Type.String({ description: "What is wrong, in one sentence." }),
    details: Type.Array(
      Type.Object(
        {
          index: Type.Optional(
            Type.Integer({ description: "Position in the batch, from 0; absent where the envelope itself is meant." }),
          ),
          field: Type.String({ description: "Place in the record or envelope; empty for the whole." }),
          reason: Type.String({ description: "Why, in a few words." }),
        },
        { title: "RecordProblem" },
      ),
      { description: "Where and why, never the value; the first hundred." },
    ),
  },
  { title: "TransactionsErrorResponse" },
);
export type TransactionsError = Static<typeof TransactionsErrorSchema>;
