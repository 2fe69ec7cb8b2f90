/** A product as the catalogue knows it. */
import type { PaymentFrequency } from "../interface/payment-frequency.ts";

/** Interface document, Product: SUBSCRIPTION is non-essential, OTHER_RECURRING are fixed expenses. */
export type ProductType = "SUBSCRIPTION" | "OTHER_RECURRING";
export type StoreType = "STORE_A" | "STORE_B";

export type Product = {
  id: string;
  title: string;
  type: ProductType;
  /** Category id of the budget's category tree. */
  category: string;
  countries: readonly string[];
  /** Frequencies at which it is sold; empty when any. */
  frequencies: readonly PaymentFrequency[];
  cancellation: "POSSIBLE" | "EXPLAIN_WHY_NOT" | "STORE";
  isGateway: boolean;
  isUnknownStoreSubscription: boolean;
  store: StoreType | null;
  /** Known for trials that turn into memberships. */
  hasTrial: boolean;
  equipmentBack: boolean;
  moneyBack: boolean;
};
