/** The envelope of a pushed batch. Source: interface document, "Transactions (push)". */
import { type Static, Type } from "typebox";

export const TransactionsRequestSchema = Type.Object(
  {
    reqId: Type.String({ format: "uuid", description: "One content, however often it is sent." }),
    txs: Type.String({
      minLength: 1,
      description: "Compact JWE (RFC 7516) over a JSON array of at most 750 RawTransaction objects.",
    }),
  },
  { title: "TransactionsRequest" },
);
export type TransactionsRequest = Static<typeof TransactionsRequestSchema>;

export const TransactionsErrorSchema = Type.Object(
  {
    errorCode: Type.Enum(["TX_DATA_ERROR", "SIGNATURE_ERROR", "DECRYPTION_ERROR", "UNKNOWN_ERROR"]),
    message: Type.String(),
    details: Type.Array(
      Type.Object(
        {
          index: Type.Optional(
            Type.Integer({ description: "Position in the batch, from 0; absent where the envelope itself is meant." }),
          ),
          field: Type.String({ description: "Place in the record or envelope; empty for the whole." }),
          reason: Type.String(),
        },
        { title: "RecordProblem" },
      ),
      { description: "Where and why, never the value; the first hundred." },
    ),
  },
  { title: "TransactionsErrorResponse" },
);
export type TransactionsError = Static<typeof TransactionsErrorSchema>;
