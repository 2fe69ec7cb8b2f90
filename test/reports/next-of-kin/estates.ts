/** Estates by hand. */
import type { Agreement, Estate } from "../../../src/reports/next-of-kin/estate.ts";

export const longCompany =
  "Boligselskabet Længstenavn Ældrebyggeri Øresundsvejens Andelsboligforening af 1897 A.M.B.A. (tidligere Fællesforeningen-for-Danmarks-Brugsforeninger)";

export function agreement(given: Partial<Agreement> = {}): Agreement {
  return {
    title: "Netflix",
    company: "NETFLIX.COM AMSTERDAM",
    frequency: "MONTHLY",
    amount: { minor: 11_400, currency: "DKK" },
    yearly: { minor: 136_800, currency: "DKK" },
    lastDay: "2026-05-28",
    nextDay: "2026-06-28",
    method: "CARD",
    paidFrom: "•••• 1234",
    ending: "POSSIBLE",
    storeUrl: null,
    marks: [],
    ...given,
  };
}

export const emptyEstate: Estate = {
  documentId: "0f5c9a1e-54a2-4bb2-9d1a-7f2f1c1b2c3d",
  customer: "kunde-4711",
  brand: "Nordbanken",
  logo: null,
  currency: "DKK",
  asOf: "2026-06-15",
  effectiveDate: null,
  transactions: null,
  accounts: [],
  subscriptions: [],
  fixed: [],
  stopped: [],
  income: [],
  algorithmVersion: 2,
};

export const estate: Estate = {
  ...emptyEstate,
  effectiveDate: "2026-06-02",
  transactions: { count: 1234, from: "2024-05-15", to: "2026-06-12" },
  accounts: ["Lønkonto  DK•• •••• 6243", "Budgetkonto  DK•• •••• 8811", "Visa  •••• 1234"],
  subscriptions: [
    agreement({
      title: "Dagbladet Øst",
      company: "DAGBLADET OEST A/S",
      frequency: "QUARTERLY",
      amount: { minor: 124_900, currency: "DKK" },
      yearly: { minor: 499_600, currency: "DKK" },
      method: "DIRECT_DEBIT",
      paidFrom: "DK•• •••• 8811",
      ending: "EXPLAIN_WHY_NOT",
    }),
    agreement(),
    agreement({
      title: "iCloud+",
      company: "APPLE.COM/BILL",
      amount: { minor: 900, currency: "DKK" },
      yearly: { minor: 10_800, currency: "DKK" },
      ending: "STORE",
      storeUrl: "https://apps.apple.com/account/subscriptions",
      marks: ["STORE"],
    }),
    agreement({
      title: "Café Ærø",
      company: null,
      frequency: "UNKNOWN",
      amount: { minor: 5_000, currency: "SEK" },
      yearly: { minor: 20_000, currency: "SEK" },
      nextDay: null,
      ending: "COMPANY",
      marks: ["UNDECIDED"],
    }),
  ],
  fixed: [
    agreement({
      title: "Boligforening",
      company: longCompany,
      amount: { minor: 825_000, currency: "DKK" },
      yearly: { minor: 9_900_000, currency: "DKK" },
      method: "DIRECT_DEBIT",
      paidFrom: "DK•• •••• 8811",
      ending: "COMPANY",
    }),
    agreement({
      title: "Tryg Forsikring",
      company: "TRYG FORSIKRING A/S",
      frequency: "HALFYEARLY",
      amount: { minor: 312_450, currency: "DKK" },
      yearly: { minor: 624_900, currency: "DKK" },
      method: "INVOICE",
      paidFrom: null,
      ending: "COMPANY",
    }),
  ],
  stopped: [
    agreement({
      title: "Fitness World",
      company: "FITNESS WORLD",
      lastDay: "2025-11-01",
      nextDay: null,
      ending: "ENDED",
    }),
  ],
  income: [
    {
      payer: "Udbetaling Danmark",
      categoryId: "INCOME_PENSION_STATE",
      frequency: "MONTHLY",
      lastDay: "2026-05-29",
      lastAmount: { minor: 1_432_100, currency: "DKK" },
      total: { minor: 17_185_200, currency: "DKK" },
    },
    {
      payer: "PFA Pension",
      categoryId: "INCOME_PENSION_PRIVATE",
      frequency: null,
      lastDay: "2026-05-29",
      lastAmount: { minor: 512_345, currency: "DKK" },
      total: { minor: 512_345, currency: "DKK" },
    },
  ],
};
