/** What the document says of users, batches, accounts, reports, notifications and errors. */
import type { Words } from "./form.ts";

export const otherWords: Words = {
  CreateUserRequest: ["A customer of a brand, as the partner registers one.", {}],
  LoginRequest: ["The partner's word for a user.", {}],
  LoginResponse: ["Our token for the user's calls.", {}],
  TransactionsRequest: ["A batch, sealed.", {}],
  TransactionsErrorResponse: [
    "Why a batch was not taken; all of its transactions count as unreceived.",
    { errorCode: "What is wrong, as a code." },
  ],
  RecordProblem: ["What is wrong with one record, or with the envelope.", {}],
  SealedBatch: ["A batch before it is sealed.", { header: "The JWE's protected header." }],
  RawTransaction: [
    "One record of a batch.",
    {
      type: "What the record is.",
      card: "The card with which it was paid, where it was.",
      account: "The account on which it was booked.",
      tx: "There exactly when type is TX.",
    },
  ],
  RawTx: [
    "One transaction's details.",
    {
      currency: "The account's or cardholder's.",
      originalCurrency: "In which the purchase was made, where that is another one.",
      merchant: "Who was paid, where it is known.",
    },
  ],
  AccountsRequest: ["Ids of the accounts that the user keeps; all others are removed.", {}],
  AccountsBalancesRequest: ["Balances as the partner observed them.", { accounts: "At least one." }],
  AccountBalance: [
    "The balance of one account.",
    { accountName: "Name or number that the user knows the account by; replaces the earlier one." },
  ],
  Psd2InitiateRequest: ["Where a user goes back to after connecting a bank.", {}],
  Psd2InitiateResponse: ["Where a user connects a bank.", { loginId: "Of this login." }],
  Psd2Confirmation: ["What a redirect brought back to the partner, to finish a login.", {}],
  ReportRequest: ["What to make a report of.", { type: "Which report." }],
  ReportType: ["NEXT_OF_KIN: what those left behind need to know.", {}],
  ReportResponse: ["A report that is being made.", { documentId: "To fetch it by." }],
  EncryptionKey: [
    "A public key (RFC 7517) to which batches are sealed.",
    {
      kty: "RSA.",
      n: "Modulus, base64url.",
      e: "Exponent, base64url.",
      use: "For encryption only.",
      alg: "The only algorithm it is taken with.",
    },
  ],
  ReceiptKey: [
    "A public key (RFC 8037) by which signatures of receipts are verified, `NAME.receipt.json.jws`.",
    {
      kty: "An octet key pair.",
      crv: "The curve.",
      x: "The public key, base64url.",
      use: "For signatures only.",
      alg: "The only algorithm it signs with.",
    },
  ],
  KeySet: [
    "The keys of a partner.",
    {
      keys: "Keys to encrypt to, the current one first and then the next; behind them those that receipts are signed with.",
    },
  ],
  NotReady: ["No body: Retry-After says when to ask again.", {}],
  Alive: ["The process lives.", { status: "Always the same.", version: "Of the service." }],
  Problem: [
    "What went wrong (RFC 9457).",
    {
      title: "In one sentence.",
      status: "The HTTP status.",
      correlationId: "Of the call; name it when asking for help.",
    },
  ],
  FieldProblem: ["What is wrong with one place in the request.", { message: "In a few words." }],
  ReceiveNotificationRequest: ["What a partner's receiver is sent.", { notification: "The message." }],
  Notification: [
    "A message for one user.",
    {
      type: "What it tells.",
      payload: "What it is about; at least one.",
      data: "Product and amount, where there are any.",
    },
  ],
  NotificationData: [
    "What a message is about, for those who write its text themselves.",
    {
      productTitle: "Name of the product.",
      productImageUrl: "Square picture of the product.",
      productType: "Kind of the product.",
      product: "The same three together.",
      subscriptionCount: "Running subscriptions that the user is shown.",
      amount: "Of the payment, or the expected one; positive, in whole units of `currency` with decimals.",
      currency: "The brand's; the account's own where nothing converts it.",
    },
  ],
  NotificationParams: ["One thing that a message is about.", {}],
  NotificationProduct: [
    "A product as a message names it.",
    { title: "Name to show.", imageUrl: "Square picture, served by this installation.", type: "Kind of the product." },
  ],
  NotificationTranslation: ["The text in one language.", { title: "One line.", body: "One or two sentences." }],
  NotificationType: ["What a message tells.", {}],
};
