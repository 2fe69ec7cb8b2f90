/** The accounts that a user lets us see, and their balances: endpoints 12 and 13 of the interface. */
import { type Static, Type } from "@fastify/type-provider-typebox";
import { identifierLengthMax } from "../../../config/limits.ts";
import { addDays, type Day, isDay } from "../../time/calendar.ts";
import { dayIn } from "../../time/clock.ts";
import { markStale } from "../../budgets/store.ts";
import { inTransaction } from "../../database/database.ts";
import { keepAccounts } from "../../ledger/account-access.ts";
import { putBalances } from "../../ledger/holdings.ts";
import { formatAmount, parseAmount } from "../../money.ts";
import type { Brand } from "../../partners/partners.ts";
import type { ApiContext, App } from "../context.ts";
import { brandOf, partnerOf, userOf } from "../identify.ts";
import { Refusal } from "../problem.ts";
import { noBody } from "../reply.ts";
import { present } from "../../present.ts";

/** A person has some tens of accounts; a firm with more than this sends its balances in several calls. */
const accountsMax = 500;
/** As descriptions in records: what fits a line of a screen several times over. */
const nameLengthMax = 200;
/** Text that the database stores: it holds no NUL, and no half of a surrogate pair. */
const storableText = "^[^\\u0000\\ud800-\\udfff]+$";
/** ISO 8601: a day and a time, with or without fraction and offset. */
const timePattern =
  "^\\d{4}-\\d{2}-\\d{2}[Tt ]([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d([.,]\\d{1,9})?)?([Zz]|[+-](0\\d|1[0-5])(:?[0-5]\\d)?)?$";

const AccountIdSchema = Type.String({
  minLength: 1,
  maxLength: identifierLengthMax,
  pattern: storableText,
  description: "The partner's account id.",
});
const AccountsRequestSchema = Type.Unsafe<string[]>({
  ...Type.Array(AccountIdSchema, { maxItems: accountsMax }),
  title: "AccountsRequest",
});
const AccountBalanceSchema = Type.Object(
  {
    accountId: AccountIdSchema,
    accountName: Type.Optional(Type.String({ minLength: 1, maxLength: nameLengthMax, pattern: storableText })),
    observedTime: Type.String({
      pattern: timePattern,
      description: "ISO 8601, not in the future; without an offset it is in the brand's time zone.",
    }),
    balance: Type.Number({ description: "In the brand's currency." }),
  },
  { title: "AccountBalance" },
);
const AccountsBalancesRequestSchema = Type.Object(
  { accounts: Type.Array(AccountBalanceSchema, { minItems: 1, maxItems: accountsMax }) },
  { title: "AccountsBalancesRequest" },
);

export async function accountsRoutes(scope: App, context: ApiContext): Promise<void> {
  scope.put(
    "/accounts",
    {
      schema: {
        operationId: "keepAccounts",
        summary: "Remove access to every account not listed",
        description:
          "Their transactions leave every read and figure before this answers. Ids without an account are kept in mind for batches on their way. " +
          "Access comes back with a batch that is accepted later and names the account.",
        tags: ["Accounts"],
        body: AccountsRequestSchema,
        response: { 200: noBody("Updated.") },
      },
    },
    async (request, reply) => {
      const user = userOf(request);
      const partnerId = partnerOf(request).id;
      const removed = await inTransaction(context.database, (transaction) =>
        keepAccounts(transaction, { id: user.id, partnerId }, request.body),
      );
      context.events.emit("accounts.kept", { correlationId: request.id, partnerId, removed });
      await context.refreshUser(user.id);
      return reply.code(200).send();
    },
  );
  scope.put(
    "/accounts-balances",
    {
      schema: {
        operationId: "putAccountBalances",
        summary: "Tell balances and names of accounts",
        description:
          "Balances and given names overwrite what was known; missing accounts are created. Open budgets show the names when this answers. An account whose access was removed stays removed.",
        tags: ["Accounts"],
        body: AccountsBalancesRequestSchema,
        response: { 200: noBody("Updated.") },
      },
    },
    async (request, reply) => {
      const brand = brandOf(request);
      const user = userOf(request);
      const observations = readObservations(request.body, brand, lastDayOf(context, brand));
      const renamed = await inTransaction(context.database, async (transaction) => {
        const accounts = await putBalances(transaction, user.id, brand.timeZone, observations);
        // Budgets list the accounts behind them by name, and walk their balances back.
        await markStale(transaction, [user.id]);
        return accounts;
      });
      // What cannot be made now is made by the next round; what was told is kept either way.
      if (renamed > 0) await context.refreshBudgets(user.id).catch(() => undefined);
      return reply.code(200).send();
    },
  );
}

/**
 * Tomorrow, because offsets differ, by whichever clock is ahead: a balance from the future would stay the latest one
 * whatever is observed after it.
 */
function lastDayOf({ clock }: ApiContext, { timeZone }: Brand): Day {
  const [business, real] = [clock.today(timeZone), dayIn(timeZone, clock.now())];
  return addDays(business > real ? business : real, 1);
}

/**
 * @param lastDay on which something can have been observed
 * @throws Refusal REQUEST_INVALID naming each place at fault
 */
function readObservations({ accounts }: Static<typeof AccountsBalancesRequestSchema>, brand: Brand, lastDay: Day) {
  const indexes = new Map<string, number>();
  const errors = accounts.flatMap((one, index) => {
    const faults: { pointer: string; message: string }[] = [];
    const day = one.observedTime.slice(0, 10);
    if (!isDay(day)) faults.push({ pointer: `/accounts/${index}/observedTime`, message: "is no day of the calendar" });
    else if (day > lastDay) faults.push({ pointer: `/accounts/${index}/observedTime`, message: "lies in the future" });
    if (parseAmount(one.balance, brand.currency) === null)
      faults.push({ pointer: `/accounts/${index}/balance`, message: "is too large" });
    const earlier = indexes.get(one.accountId);
    if (earlier !== undefined)
      faults.push({ pointer: `/accounts/${index}/accountId`, message: `is given at ${earlier} too` });
    indexes.set(one.accountId, index);
    return faults;
  });
  if (errors.length > 0) throw new Refusal("REQUEST_INVALID", { errors });
  return accounts.map(({ accountId, accountName = null, observedTime, balance }) => ({
    accountId,
    accountName,
    observedTime: observedTime.replace(",", "."),
    balance: formatAmount(present(parseAmount(balance, brand.currency), "the amount that was checked before")),
  }));
}
