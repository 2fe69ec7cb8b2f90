/** What the document says of recurring payments, transactions and alerts: units, signs, and where a value comes from. */
import type { Words } from "./form.ts";

const brandAmount = "in whole units of `currency` with decimals";

export const serviceWords: Words = {
  ServiceResponse: [
    "A user's recurring payments, with what they come to in the brand's currency.",
    {
      averageTotalAmount:
        "Estimated cost a month of the running subscriptions listed (status ACTIVE or UNDER_CANCELLATION, UNDECIDED left out), in the brand's currency.",
      services: "What runs first, by its next date; then what ended, latest first. May be empty.",
      totalAmountLastTwelveMonths:
        "Paid for all services listed in the 365 days to the business day, less refunds, in the brand's currency.",
      alerts: "Those that were not seen yet; absent when there is none.",
    },
  ],
  Service: [
    "A recurring payment, recognised in the user's transactions. Its id stays when history is sent again, prices change or the merchant is renamed.",
    {
      id: "Names the service for good.",
      amount: `The expected next payment, positive, ${brandAmount}: at the latest payment's own rate while that is younger than 40 days, else at the latest reference rate.`,
      currency: "The brand's; the account's own where nothing converts it.",
      paymentFrequency: "How often it is due, told from its due dates; UNKNOWN when it recurs without a rhythm.",
      accountId: "The sender's id of the account of the latest payment; null when the bank gave none.",
      cardId: "The sender's id of the card of the latest payment; null when the bank gave none.",
      product: "What is paid for, from the product catalogue or the payee's name.",
      status: "Whether it runs, told from its due dates and its cancellation.",
      userActionsRequired: "What the user has to do; empty for nothing.",
      payments: "All of them, newest first.",
      yearlyCost: `Expected cost of twelve months, ${brandAmount}.`,
      totalAmountLastTwelveMonths:
        "Payments less refunds in the 365 days to the business day, in the brand's currency: the sum of `payments` and `refunds` of those days.",
      notifications: "What is new about it, as badges to show.",
      visibility: "Whether it is shown; UNDECIDED is, and the user is asked to confirm it.",
      nextExpectedTransactionDate:
        "Day on which the next payment should be booked, with the bank's closed days; of what ended the last one computed, which may be past.",
      store: "Where it is paid through an application store.",
      visibilityOption: "Whether to ask the user to show or hide it.",
      cancellation: "What a cancellation means for it, and how one goes.",
      amountToDisplay: "Whether to show `amount` or the total of twelve months.",
      cancellationOption: "Whether a cancellation can be offered.",
      iban: "IBAN of the account of the latest payment; null when the bank gave none.",
    },
  ],
  IncomeResponse: [
    "A user's recurring income, with what it comes to in the brand's currency. Extension of this service.",
    {
      averageTotalAmount:
        "Estimated income a month of the series listed that run (status ACTIVE, UNDECIDED left out), in the brand's currency.",
      income: "What runs first, by its next date; then what ended, latest first. May be empty.",
      totalAmountLastTwelveMonths:
        "Received in all series listed in the 365 days to the business day, in the brand's currency.",
    },
  ],
  IncomeSeries: [
    "Recurring payments from one payer, recognised in the user's transactions. Its id stays when history is sent again, amounts change or the payer is renamed.",
    {
      id: "Names the series for good.",
      title: "The payer, as the transactions name it.",
      amount: `The expected next payment, positive, ${brandAmount}: at the latest payment's own rate while that is younger than 40 days, else at the latest reference rate.`,
      currency: "The brand's; the account's own where nothing converts it.",
      paymentFrequency:
        "How often it comes, told from the days on which it is due; UNKNOWN when it recurs without a rhythm.",
      accountId: "The sender's id of the account of the latest payment; null when the bank gave none.",
      iban: "IBAN of the account of the latest payment; null when the bank gave none.",
      status: "Whether it still comes, told from the days on which it is due.",
      visibility: "How sure it is.",
      payments: "All of them, newest first.",
      yearlyAmount: `Expected of twelve months, ${brandAmount}.`,
      totalAmountLastTwelveMonths:
        "The sum of `payments` in the 365 days to the business day, in the brand's currency.",
      nextExpectedTransactionDate:
        "Day on which the next payment should be booked, with the bank's closed days; of what ended the last one computed, which may be past.",
    },
  ],
  IncomePayment: [
    "A payment that was received: positive.",
    {
      id: "Our number of the payment, at most 2^53 − 1; says nothing of order.",
      sourceTransactionId: "The sender's txid.",
      amount: `Converted at the day's reference rate, ${brandAmount}.`,
      currency: "The brand's; the account's own where nothing converts it.",
      originalAmount: "In whole units of `originalCurrency` with decimals, with the sign of `amount`.",
      originalCurrency: "In which it was paid; the account's where the sender gave no other.",
      date: "Day of booking.",
    },
  ],
  ServicePayment: [
    "A payment of a service as a cost: positive when money left, negative when it came back.",
    {
      id: "Our number of the payment, at most 2^53 − 1; says nothing of order.",
      sourceTransactionId: "The sender's txid.",
      amount: `Converted, ${brandAmount}: what the purchase itself cost in that currency, else at the day's reference rate.`,
      currency: "The brand's; the account's own where nothing converts it.",
      originalAmount: "In whole units of `originalCurrency` with decimals, with the sign of `amount`.",
      originalCurrency: "In which the purchase was made; the account's where the sender gave no other.",
      date: "Day of booking.",
    },
  ],
  Product: [
    "What is paid for.",
    {
      title: "Name to show, from the product catalogue or the payee.",
      imageUrl: "Square picture, served by this installation.",
      type: "SUBSCRIPTION: not essential. OTHER_RECURRING: fixed expenses such as rent, loans, insurance, utilities.",
      isGateway: "Whether it sells other products, for one of which the user pays through it.",
      isUnknownStoreSubscription: "Whether it stands for a subscription of a store that does not tell which.",
    },
  ],
  Store: [
    "An application store through which a service is paid.",
    { type: "Which of the two kinds of store.", url: "Where the store lists the user's subscriptions." },
  ],
  Cancellation: [
    "What a cancellation means for the service, and how one goes.",
    {
      directDebit: "Whether the latest payment was collected by a mandate, which the user can also stop at the bank.",
      equipmentBack: "Whether equipment has to be sent back, from the catalogue or the case.",
      moneyBack: "Whether money comes back, from the catalogue or the case.",
      confirmationContent: "What the holder of the service wrote to confirm.",
      freeTextMessage: "What the user is asked, or told, in words.",
      endDate: "Day of the last payment, as the holder of the service or the user reported it.",
      abortReason: "Why it was given up.",
    },
  ],
  UpcomingPayment: [
    "The next expected payment of a running service.",
    {
      serviceId: "Of the service.",
      expectedPaymentDate: "Day on which it should be booked, with the bank's closed days.",
      expectedPaymentCost: `The service's amount: positive, ${brandAmount}.`,
      currency: "The brand's; the account's own where nothing converts it.",
      expectedOriginalPaymentCost: "Positive, in whole units of `originalCurrency` with decimals.",
      originalCurrency: "In which it is priced.",
      product: "What is paid for.",
      accountId: "The sender's id of the account of the latest payment; null when the bank gave none.",
      cardId: "The sender's id of the card of the latest payment; null when the bank gave none.",
      additionalInfo: "Nothing at present.",
    },
  ],
  Transaction: [
    "A transaction as it is read: with the bank's sign, money leaving is negative.",
    {
      id: "Our id; wherever a transaction's id is taken, the sender's txid is taken, too.",
      transactionDate: "Day of booking.",
      type: "Told from the sender's raw type by its name; others are OTHER or UNKNOWN.",
      amount: `Converted, ${brandAmount}: what the purchase itself cost in that currency, else at the day's reference rate.`,
      currency: "The brand's; the account's own where nothing converts it.",
      originalAmount: "As the sender gave it, in whole units of `originalCurrency` with decimals.",
      originalCurrency: "In which the purchase was made; the account's where the sender gave no other.",
      merchantName: "The merchant as sent, else what the description names.",
      serviceId: "Of the service to which it belongs; absent when to none.",
      accountId: "The sender's id of the account; absent when none was given.",
      cardId: "The sender's id of the card; absent when none was given.",
    },
  ],
  MembershipAlert: [
    "A first payment that tends to turn into a membership. Once a payee.",
    {
      id: "To be given to PUT alerts/seen.",
      source: "Tells the two kinds of alerts apart.",
      membershipAlertType: "The only kind there is.",
      product: "What was paid for.",
      transaction: "The payment.",
    },
  ],
  CrowdsourcingAlert: [
    "What came of a payment that the user called a subscription.",
    {
      id: "To be given to PUT alerts/seen.",
      source: "Tells the two kinds of alerts apart.",
      type: "SUCCESS: it is listed. NOT_SUBSCRIPTION: it cannot be one. TECHNICAL_LIMITATION: nothing is known to tell by.",
      crowdsourceTime: "When the user called it one.",
      sourceTransactionId: "The sender's txid of the payment.",
      transaction: "The payment.",
      product: "What was paid for; a placeholder with the payee's name when it is not recognised.",
      paymentFrequency: "The service's, else what the user said, else UNKNOWN.",
      amount: `The payment as a cost: positive when money left, ${brandAmount}.`,
      currency: "The brand's; the account's own where nothing converts it.",
      originalAmount: "In whole units of `originalCurrency` with decimals, with the sign of `amount`.",
      originalCurrency: "In which the purchase was made; the account's where the sender gave no other.",
    },
  ],
  AmountRange: [
    "Least, middle and most of the payments.",
    {
      low: `The least, positive, ${brandAmount}.`,
      median: `The middle one, positive, ${brandAmount}.`,
      high: `The most, positive, ${brandAmount}.`,
    },
  ],
  PriceChange: [
    "A change of a fixed price.",
    {
      from: `The price before, positive, ${brandAmount}.`,
      to: `The price since, positive, ${brandAmount}.`,
      date: "Day of the first payment at the new price.",
    },
  ],
  ServiceUpdateHiddenRequest: ["A user's decision on a service.", { hidden: "false also confirms an undecided one." }],
  CrowdsourcingRequest: [
    "A payment that a user calls a subscription.",
    { paymentFrequency: "How often it comes, if the user said so." },
  ],
  AlertSeenRequest: ["Ids of alerts that need not be shown again; unknown ones are ignored.", {}],
  PaymentFrequency: ["How often something is paid; UNKNOWN: without a rhythm that is known.", {}],
  ProductType: ["SUBSCRIPTION: not essential. OTHER_RECURRING: a fixed expense.", {}],
  ServiceStatus: ["ACTIVE: it runs. INACTIVE: it was not paid when due. The others follow its cancellation.", {}],
  ServiceVisibility: [
    "VISIBLE: sure, or confirmed by the user. UNDECIDED: listed, to be confirmed. HIDDEN: by the user or the brand.",
    {},
  ],
  IncomeStatus: ["ACTIVE: it comes. INACTIVE: it did not come when due.", {}],
  IncomeVisibility: ["VISIBLE: sure. UNDECIDED: as likely as not.", {}],
  VisibilityOption: ["Which questions to offer the user: to hide it, to show it, both, or none.", {}],
  AmountToDisplay: ["AMOUNT, or the total of twelve months where one amount would mislead.", {}],
  CancellationOption: [
    "POSSIBLE; EXPLAIN_WHY_NOT: not for this product; STORE: only there; HIDE: nothing is offered.",
    {},
  ],
  UserActionRequiredType: ["What a cancellation waits for.", {}],
  ServiceNotificationType: ["What is new about a service.", {}],
  CancellationAbortReason: ["Why a cancellation was given up.", {}],
  StoreType: ["STORE_A: Apple's. STORE_B: Google's.", {}],
  TransactionType: ["Kinds of transactions; OTHER: known to be none of these. UNKNOWN: not known.", {}],
  CrowdsourcingAlertType: ["What came of it.", {}],
};
