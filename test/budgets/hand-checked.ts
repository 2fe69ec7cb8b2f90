/** A small household whose budget anybody can work out by hand; window.months are 2025-06 … 2026-05, all covered. */
import { ledgerOf, monthly, type Paid } from "./household.ts";

const rent = monthly("2025-05", "2026-06", "01", { name: "Boligselskabet Nord", amount: "-8000.00", mcc: 6513, type: "DIRECT_DEBIT" });
const phone = [
  ...monthly("2025-05", "2025-12", "10", { name: "Fjordtel", amount: "-149.00", mcc: 4814 }),
  ...monthly("2026-01", "2026-06", "10", { name: "Fjordtel", amount: "-159.00", mcc: 4814 }),
];
/** 2,500.00 a month. */
const groceries = [["04", "-1000.00"], ["13", "-850.50"], ["26", "-649.50"]].flatMap(([day = "", amount = ""]) =>
  monthly("2025-05", "2026-05", day, { name: "Kobmand Holm", amount, mcc: 5411 }),
);
/** Four places, twice each, 200.00 a time. */
const restaurants: Paid[] = [
  ["2025-06-14", "Cafe Aksel"], ["2025-12-13", "Cafe Aksel"], ["2025-08-16", "Bistro Bo"], ["2026-02-14", "Bistro Bo"],
  ["2025-09-20", "Grill Ib"], ["2026-04-18", "Grill Ib"], ["2025-07-12", "Kro Ulla"], ["2026-05-23", "Kro Ulla"],
].map(([day = "", name = ""]) => ({ day, name, amount: "-200.00", mcc: 5812 }));
/** Once a year. */
const insurance: Paid[] = ["2024-10-05", "2025-10-05"].map((day) => ({ day, name: "Tryghed", amount: "-3600.00", mcc: 6300, type: "DIRECT_DEBIT" }));
const sofa: Paid = { day: "2025-11-15", name: "Sofahuset", amount: "-6000.00", mcc: 5712 };
/** Nobody knows what it is; four times, 1,200.00 in all. */
const unknown: Paid[] = [["2025-07-03", "-300.00"], ["2025-09-17", "-410.00"], ["2026-01-28", "-290.00"], ["2026-03-09", "-200.00"]].map(([day = "", amount = ""]) => ({
  day, amount, name: "XQ Zorbo", type: "OTHER",
}));
const salary = monthly("2025-05", "2026-05", "28", { name: "LØNOVERFØRSEL", amount: "25000.00", type: "SALARY" });
const gift: Paid = { day: "2026-02-10", name: "Zorbini", amount: "1000.00", type: "OTHER" };

export const handChecked = ledgerOf([...rent, ...phone, ...groceries, ...restaurants, ...insurance, sofa, ...unknown, ...salary, gift]);
