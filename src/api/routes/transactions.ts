/** Transactions out: endpoint 5 of the interface. */
import { type Static, Type } from "@fastify/type-provider-typebox";
import { type ListingRange, listDebited } from "../../ledger/listing.ts";
import { TransactionSchema } from "../../interface/services.ts";
import type { ApiContext, App } from "../context.ts";
import { brandOf, userOf } from "../identify.ts";
import { Refusal } from "../problem.ts";
import { toTransaction } from "../transaction.ts";

/** A busy household's 25 months are about 5,000 payments; the answer then has some 2 MB. */
const listedMax = 10_000;
/** Before every transaction that the ledger takes. */
const firstDay = "1900-01-01";

const ListingQuerySchema = Type.Object({
  from: Type.Optional(Type.String({ format: "date", description: "First day, inclusive." })),
  to: Type.Optional(Type.String({ format: "date", description: "Last day, inclusive." })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: listedMax, default: listedMax, description: "The newest so many." }),
  ),
  include: Type.Optional(
    Type.Enum(["refunds"], {
      description: "refunds: also what came back of services' payments, with a positive amount and the serviceId.",
    }),
  ),
});

export async function transactionsRoutes(scope: App, context: ApiContext): Promise<void> {
  scope.get(
    "/transactions",
    {
      schema: {
        operationId: "listTransactions",
        summary: "List debited transactions",
        description:
          "Money leaving, newest first; what came back of it only where that is asked for. A request body is ignored. The query parameters are additions to the interface.",
        tags: ["Transactions"],
        querystring: ListingQuerySchema,
        response: { 200: Type.Array(TransactionSchema, { description: "The user's debited transactions." }) },
      },
      config: { produces: "application/json", refusals: ["REQUEST_INVALID"] },
    },
    async (request, reply) => {
      const user = userOf(request);
      const brand = brandOf(request);
      const range = rangeOf(request.query, context.clock.today(brand.timeZone));
      const rows = await context.reads.read((database) => listDebited(database, user.id, range));
      return reply.code(200).send(rows.map((row) => toTransaction(row, brand.currency, context.convert)));
    },
  );
}

/** Later-dated rows are stored and not yet seen. */
function rangeOf(
  { from = firstDay, to, limit = listedMax, include }: Static<typeof ListingQuerySchema>,
  today: string,
): ListingRange {
  if (to !== undefined && to < from)
    throw new Refusal("REQUEST_INVALID", { errors: [{ pointer: "/to", message: "is before from" }] });
  return { from, to: to === undefined || to > today ? today : to, limit, withRefunds: include === "refunds" };
}
