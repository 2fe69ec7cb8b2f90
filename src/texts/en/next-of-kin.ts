/** The report for the next of kin, in English. Names in braces are filled in. */
export const nextOfKin = {
  title: "Recurring payments",
  subtitle: "Overview for the next of kin",
  footer: "Prepared from account data; it may not show every obligation",
  notice:
    "This overview shows the recurring payments that can be seen in the accounts of the deceased at this bank. It helps to end agreements, and is neither a list of debts nor a statement of the estate. Companies and authorities may have claims that no payment shows.",
  cover: {
    customer: "Customer number",
    documentId: "Document",
    madeOn: "Data up to",
    effectiveDate: "Date given in the request",
    period: "Payments from – to",
    accounts: "Accounts and cards",
  },
  overview: {
    title: "At a glance",
    subscriptions: "Subscriptions, a year",
    fixed: "Fixed expenses, a year",
    stopped: "Ended in the last twelve months",
    agreements: "Agreements: {count}",
    intro: "The figures are what the payments of the last year suggest for a year ahead, if nothing is cancelled.",
    stepsTitle: "What can be done",
    directDebits:
      "Paid by direct debit: {count}. The bank can stop these payments; the agreements themselves are ended with the companies.",
    cards: "Paid by card: {count}. A closed card stops the payment, not the agreement.",
    invoices: "Paid by invoice or transfer: {count}. Invoices go on coming until the agreement is ended.",
    stores:
      "Bought through an application store: {count}. They are ended in the list of subscriptions of the store's account.",
    repayable:
      "Payers of pensions or benefits: {count}. What was paid for the time after the death may have to be paid back.",
  },
  subscriptions: {
    title: "Subscriptions",
    intro: "Agreements that are usually easy to end, the most expensive first.",
    none: "No running subscription was found.",
  },
  fixed: {
    title: "Fixed expenses",
    intro:
      "Housing, insurance, energy, loans and the like. Ask the estate's administrator before ending them: some protect what the estate owns.",
    none: "No running fixed expense was found.",
  },
  stopped: {
    title: "Ended in the last twelve months",
    intro:
      "No payment has come when it was due, or the agreement is cancelled. A last bill or a refund may still come.",
    none: "No recurring payment ended in the last twelve months.",
  },
  income: {
    title: "Income that may have to be paid back",
    intro:
      "Pensions and benefits received in the last twelve months. Tell the payers of the death; what they paid for a later time they usually ask back.",
    none: "No pension or benefit was found in the last twelve months.",
    payer: "Payer",
    kind: "Kind",
    frequency: "How often",
    lastDay: "Last received",
    lastAmount: "Last amount",
    total: "In twelve months",
  },
  columns: {
    product: "Product and company",
    payment: "Paid by",
    amount: "Last paid",
    yearly: "A year",
    dates: "Last and next",
    cancelling: "To end it",
    lastDates: "Last payment",
  },
  total: "Total",
  next: "next {day}",
  otherCurrency: "Amounts in a currency other than {currency} carry its code and are not in the totals.",
  method: {
    CARD: "card",
    DIRECT_DEBIT: "direct debit",
    INVOICE: "invoice",
    TRANSFER: "transfer",
    CASH: "cash",
    OTHER: "other",
  },
  cancelling: {
    POSSIBLE: "can be cancelled",
    EXPLAIN_WHY_NOT: "only with the company itself",
    STORE: "in the application store",
    UNDER_CANCELLATION: "is being cancelled",
    CANCELLED: "cancelled",
    ENDED: "no payment came",
    COMPANY: "by agreement with the company",
  },
  mark: {
    HIDDEN: "hidden by the customer",
    UNDECIDED: "not certain: may be single purchases",
    GATEWAY: "paid through this company; it may stand for another product",
    STORE: "unknown product of an application store",
  },
  storeAt: "List of subscriptions: {url}",
  methodSection: {
    title: "How this was made",
    paragraphs: {
      source:
        "The report is made by a program from the {count} {count|transaction|transactions} that the bank held on {day}, from {from} to {to}. Payments made from other banks, in cash, or by others are not in it.",
      rules:
        "A payment counts as recurring when its dates and amounts repeat, or when the payee is known for subscriptions. Recognition version {version}. A payment that is not certain is marked.",
      yearly:
        "A year costs what the payments of the last twelve months suggest: of a price that stands, the latest one times the payments of a year; of prices that vary, what was paid.",
      masked: "Account and card numbers are shown in part. Names are as the companies or the bank write them.",
    },
    empty: "The bank held no transactions of this customer when the report was made.",
  },
} as const;
