/**
 * The interface's alerts. Pure. Source: interface document, "Crowdsourcing and alerts"; rules: services.md, "Alerts".
 */
import type { LedgerTransaction } from "../../ledger/history.ts";
import { renderTransactionId } from "../../ledger/transaction-id.ts";
import { toNumber } from "../../money.ts";
import { findProduct } from "../../payments/catalogue.ts";
import { type ServiceContext, servicePayment } from "./cost.ts";
import { merchantOf } from "../../payments/merchant.ts";
import { shownName } from "../../payments/shown-name.ts";
import { imageIdOf, imageUrl } from "./product.ts";
import type {
  CrowdsourcingAlert,
  MembershipAlert,
  ProductDocument,
  Service,
  Transaction,
} from "../../interface/services.ts";
import type { Outcome, Submission } from "./submission.ts";
import { typeOf } from "../../payments/transaction-type.ts";

/** A warning as stored; seen ones are kept, so that each payee is warned of once. */
export type StoredWarning = { id: string; payeeKey: string; txid: string; seen: boolean };

/** Country of the brand besides what services are made with. */
export type AlertContext = ServiceContext & { country: string };

/** @param service to which the payment belongs, null when to none. */
export function membershipAlert(
  warning: StoredWarning,
  row: LedgerTransaction,
  service: Service | null,
  context: AlertContext,
): MembershipAlert {
  return {
    id: warning.id,
    source: "MEMBERSHIP",
    membershipAlertType: "WARNING",
    product: productOf(row, service, context),
    transaction: transactionDocument(row, service, context),
  };
}

/** Amounts are the transaction's as a cost; the frequency is the service's, else what the user said. */
export function crowdsourcingAlert(
  submission: Submission,
  outcome: Outcome,
  row: LedgerTransaction,
  service: Service | null,
  context: AlertContext,
): CrowdsourcingAlert {
  const { amount, currency, originalAmount, originalCurrency, rateDate } = servicePayment(row, context);
  return {
    id: submission.id,
    source: "CROWDSOURCING",
    type: outcome,
    crowdsourceTime: submission.submittedAt.toISOString(),
    sourceTransactionId: row.txid,
    transaction: transactionDocument(row, service, context),
    product: productOf(row, service, context),
    paymentFrequency: service?.paymentFrequency ?? submission.paymentFrequency ?? "UNKNOWN",
    amount,
    currency,
    ...(rateDate === undefined ? {} : { rateDate }),
    originalAmount,
    originalCurrency,
  };
}

/** Money leaving is negative, as the list of transactions tells it. */
function transactionDocument(row: LedgerTransaction, service: Service | null, context: AlertContext): Transaction {
  const { amount, currency, rateDate } = servicePayment(row, context);
  const own = {
    minor: row.originalAmountMinor ?? row.amountMinor,
    currency: row.originalAmountMinor === null ? row.currency : (row.originalCurrency ?? row.currency),
  };
  return {
    id: renderTransactionId(row.id),
    transactionDate: row.day,
    type: typeOf(row.rawType),
    amount: amount === 0 ? 0 : -amount,
    currency,
    ...(rateDate === undefined ? {} : { rateDate }),
    originalAmount: toNumber(own),
    originalCurrency: own.currency,
    merchantName: shownName(row),
    ...(service === null ? {} : { serviceId: service.id }),
    ...(row.accountId === null ? {} : { accountId: row.accountId }),
    ...(row.cardId === null ? {} : { cardId: row.cardId }),
  };
}

/** The service's product, else the catalogue's, else a placeholder with the payee's title. */
function productOf(
  row: LedgerTransaction,
  service: Service | null,
  { country, imageBaseUrl }: AlertContext,
): ProductDocument {
  if (service !== null) return service.product;
  const product = findProduct(merchantOf(row.merchantName, row.description), country);
  const title = product !== null && !product.isGateway ? product.title : titleOf(row);
  return {
    title,
    imageUrl: imageUrl(imageBaseUrl, product?.id ?? imageIdOf(title)),
    type: product?.type ?? "SUBSCRIPTION",
    isGateway: product?.isGateway ?? false,
    isUnknownStoreSubscription: product?.isUnknownStoreSubscription ?? false,
  };
}

function titleOf({ merchantName, description, rawType }: LedgerTransaction): string {
  return merchantOf(merchantName, description).title || description.trim() || rawType;
}
