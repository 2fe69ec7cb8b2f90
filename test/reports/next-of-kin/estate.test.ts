/** An estate lists every agreement with its company, cost and way of payment, hidden and uncertain ones too. */
import test from "ava";
import type { LedgerTransaction } from "../../../src/ledger/history.ts";
import { agreementsOf, describeHoldings, type ServiceOfEstate } from "../../../src/reports/next-of-kin/estate.ts";
import { repayableIncome } from "../../../src/reports/next-of-kin/repayable.ts";

const asOf = "2026-06-15";
const owed: ReadonlySet<string> = new Set();
const holdings = {
  accounts: [
    { id: "account-1", name: "Lønkonto", iban: "DK5000400440116243" },
    { id: "account-77", name: "", iban: "" },
  ],
  cards: [
    { id: "card-1", pan4: "1234", network: "Visa" },
    { id: "card-2", pan4: "", network: null },
  ],
};

function row(given: Partial<LedgerTransaction> & { txid: string }): LedgerTransaction {
  return {
    id: 1,
    day: "2026-05-28",
    rawType: "CARD_PURCHASE",
    description: "NETFLIX.COM",
    amountMinor: -11_400,
    currency: "DKK",
    originalAmountMinor: null,
    originalCurrency: null,
    merchantName: "NETFLIX.COM",
    merchantCid: null,
    merchantCountry: null,
    mcc: null,
    accountId: "account-1",
    cardId: null,
    iban: null,
    ...given,
  };
}

function service(given: Partial<ServiceOfEstate> = {}, txid = "t1", date = "2026-05-28"): ServiceOfEstate {
  return {
    amount: 114,
    currency: "DKK",
    paymentFrequency: "MONTHLY",
    accountId: "account-1",
    cardId: null,
    product: {
      title: "Netflix",
      imageUrl: "https://bank.example/n.svg",
      type: "SUBSCRIPTION",
      isGateway: false,
      isUnknownStoreSubscription: false,
    },
    status: "ACTIVE",
    yearlyCost: 1368,
    visibility: "VISIBLE",
    payments: [
      {
        id: 1,
        sourceTransactionId: txid,
        amount: 114,
        currency: "DKK",
        originalAmount: 114,
        originalCurrency: "DKK",
        date,
      },
    ],
    nextExpectedTransactionDate: "2026-06-28",
    cancellationOption: "POSSIBLE",
    iban: null,
    ...given,
  };
}

test("an agreement tells its company as the bank writes it, what it costs, and from where it is paid", (t) => {
  const { subscriptions } = agreementsOf([service()], [row({ txid: "t1" })], owed, holdings, asOf);
  t.deepEqual(subscriptions, [
    {
      title: "Netflix",
      company: "NETFLIX.COM",
      frequency: "MONTHLY",
      amount: { minor: 11_400, currency: "DKK" },
      yearly: { minor: 136_800, currency: "DKK" },
      lastDay: "2026-05-28",
      nextDay: "2026-06-28",
      method: "CARD",
      paidFrom: "•••• nt-1",
      ending: "POSSIBLE",
      storeUrl: null,
      marks: [],
    },
  ]);
});

test("what was last paid is what was last paid, whatever the next payment is expected to be", (t) => {
  const { subscriptions } = agreementsOf([service({ amount: 120.5 })], [row({ txid: "t1" })], owed, holdings, asOf);
  t.deepEqual(subscriptions[0]?.amount, { minor: 11_400, currency: "DKK" });
});

test("the card comes before the account's IBAN, and that before the bank's own number", (t) => {
  const paidFrom = (given: Partial<ServiceOfEstate>) =>
    agreementsOf([service(given)], [row({ txid: "t1" })], owed, holdings, asOf).subscriptions[0]?.paidFrom;
  t.is(paidFrom({ cardId: "card-1", iban: "DK5000400440116243" }), "•••• 1234");
  t.is(paidFrom({ cardId: "card-2", iban: "DK5000400440116243" }), "DK•• •••• 6243");
  t.is(paidFrom({ accountId: "9876543210" }), "•••• 3210");
  t.is(paidFrom({ accountId: null }), null);
});

test("how a payment moved is told apart", (t) => {
  const method = (rawType: string) =>
    agreementsOf([service()], [row({ txid: "t1", rawType })], owed, holdings, asOf).subscriptions[0]?.method;
  t.deepEqual(
    ["DIRECT_DEBIT", "BETALINGSSERVICE", "INVOICE", "CARD_PURCHASE", "ACCOUNT_TRANSFER", "FEE", "CHEQUE"].map(method),
    ["DIRECT_DEBIT", "DIRECT_DEBIT", "INVOICE", "CARD", "TRANSFER", "OTHER", "OTHER"],
  );
});

test("running agreements come by cost and by type, stopped ones only of the last twelve months", (t) => {
  const fixed = { product: { ...service().product, title: "Husleje", type: "OTHER_RECURRING" as const } };
  const found = agreementsOf(
    [
      service({ product: { ...service().product, title: "Spotify" }, yearlyCost: 1188 }),
      service(),
      service(fixed),
      service(
        { ...fixed, status: "CANCELLED", product: { ...fixed.product, title: "Forsikring" } },
        "t2",
        "2025-06-16",
      ),
      service({ status: "INACTIVE", product: { ...service().product, title: "Gammelt" } }, "t3", "2025-06-15"),
    ],
    [],
    owed,
    holdings,
    asOf,
  );
  t.deepEqual(
    [found.subscriptions, found.fixed, found.stopped].map((list) => list.map(({ title }) => title)),
    [["Netflix", "Spotify"], ["Husleje"], ["Forsikring"]],
  );
  t.deepEqual(
    [found.fixed[0]?.ending, found.stopped[0]?.ending, found.stopped[0]?.nextDay],
    ["COMPANY", "CANCELLED", null],
  );
});

test("what is owed is no subscription that is easy to end, whatever its payee is taken for", (t) => {
  const loan = service({ product: { ...service().product, title: "DNB Boliglån" } }, "t2");
  const found = agreementsOf(
    [service(), loan],
    [row({ txid: "t1" }), row({ txid: "t2" })],
    new Set(["t2"]),
    holdings,
    asOf,
  );
  t.deepEqual(
    [found.subscriptions, found.fixed].map((list) => list.map(({ title, ending }) => [title, ending])),
    [[["Netflix", "POSSIBLE"]], [["DNB Boliglån", "COMPANY"]]],
  );
});

test("what is hidden or uncertain is still listed, and says so", (t) => {
  const store = { type: "STORE_A" as const, url: "https://apps.apple.com/account/subscriptions" };
  const { subscriptions } = agreementsOf(
    [
      service({ visibility: "HIDDEN", cancellationOption: "HIDE" }),
      service({ visibility: "UNDECIDED", cancellationOption: "HIDE", store }),
      service({ product: { ...service().product, isGateway: true } }),
      service({ status: "UNDER_CANCELLATION", cancellationOption: "HIDE" }),
    ],
    [],
    owed,
    holdings,
    asOf,
  );
  t.deepEqual(
    subscriptions.map(({ marks, ending, storeUrl }) => [marks, ending, storeUrl]),
    [
      [["HIDDEN"], "COMPANY", null],
      [["UNDECIDED"], "STORE", store.url],
      [["GATEWAY"], "POSSIBLE", null],
      [[], "UNDER_CANCELLATION", null],
    ],
  );
});

test("accounts and cards are named, and never whole", (t) => {
  t.deepEqual(describeHoldings(holdings), ["Lønkonto  DK•• •••• 6243", "•••• t-77", "Visa  •••• 1234"]);
});

test("pensions and benefits of the last twelve months are what may be asked back; a salary and what came earlier are not", (t) => {
  const received = (txid: string, day: string, amountMinor: number, categoryId: string | null, payeeKey: string) => ({
    row: row({ txid, day, amountMinor, merchantName: null, description: payeeKey.toUpperCase() }),
    of: { transactionId: txid, categoryId, payeeKey },
  });
  const all = [
    received("p0", "2025-06-15", 1_400_000, "INCOME_PENSION_STATE", "udbetaling danmark"),
    received("p1", "2025-06-16", 1_400_000, "INCOME_PENSION_STATE", "udbetaling danmark"),
    received("p2", "2026-05-29", 1_432_100, "INCOME_PENSION_STATE", "udbetaling danmark"),
    received("h1", "2026-05-01", 120_000, "INCOME_BENEFIT_HOUSING", "udbetaling danmark"),
    received("s1", "2026-05-29", 2_500_000, "INCOME_SALARY", "firma"),
    received("g1", "2026-05-30", 50_000, null, "gave"),
  ];
  const series = [{ payments: all.slice(0, 3).map((one) => one.row), paymentFrequency: "MONTHLY" as const }];
  const income = repayableIncome(
    all.map((one) => one.row),
    { categorised: all.map(({ of }) => of), series },
    asOf,
  );
  t.deepEqual(income, [
    {
      payer: "UDBETALING DANMARK",
      categoryId: "INCOME_PENSION_STATE",
      frequency: "MONTHLY",
      lastDay: "2026-05-29",
      lastAmount: { minor: 1_432_100, currency: "DKK" },
      total: { minor: 2_832_100, currency: "DKK" },
    },
    {
      payer: "UDBETALING DANMARK",
      categoryId: "INCOME_BENEFIT_HOUSING",
      frequency: null,
      lastDay: "2026-05-01",
      lastAmount: { minor: 120_000, currency: "DKK" },
      total: { minor: 120_000, currency: "DKK" },
    },
  ]);
});
