/** A small household whose budget anybody can work out by hand; window.months are 2025-06 … 2026-05, all covered. */
import { ledgerOf, monthly, type Paid } from "./household.ts";

const rent = monthly("2025-05", "2026-06", "01", {
  name: "Boligselskabet Nord",
  amount: "-8000.00",
  mcc: 6513,
  type: "DIRECT_DEBIT",
});
const phone = [
  ...monthly("2025-05", "2025-12", "10", { name: "Fjordtel", amount: "-149.00", mcc: 4814 }),
  ...monthly("2026-01", "2026-06", "10", { name: "Fjordtel", amount: "-159.00", mcc: 4814 }),
];
/** On no certain days, 2,500.00 a month. */
const groceries: Paid[] = (
  [
    ["2025-05", ["03", "-724.45"], ["14", "-595.44"], ["22", "-1180.11"]],
    ["2025-06", ["05", "-394.94"], ["13", "-1604.78"], ["20", "-500.28"]],
    ["2025-07", ["03", "-376.02"], ["04", "-1530.21"], ["08", "-593.77"]],
    ["2025-08", ["04", "-868.38"], ["09", "-748.10"], ["19", "-883.52"]],
    ["2025-09", ["05", "-856.42"], ["09", "-277.47"], ["20", "-1366.11"]],
    ["2025-10", ["03", "-1064.14"], ["14", "-281.08"], ["20", "-1154.78"]],
    ["2025-11", ["06", "-589.77"], ["11", "-322.11"], ["19", "-1588.12"]],
    ["2025-12", ["05", "-849.37"], ["19", "-389.07"], ["20", "-1261.56"]],
    ["2026-01", ["05", "-704.33"], ["20", "-673.76"], ["22", "-1121.91"]],
    ["2026-02", ["05", "-546.24"], ["19", "-1176.21"], ["24", "-777.55"]],
    ["2026-03", ["03", "-382.29"], ["08", "-1679.45"], ["21", "-438.26"]],
    ["2026-04", ["15", "-950.66"], ["19", "-1091.81"], ["26", "-457.53"]],
    ["2026-05", ["13", "-711.75"], ["16", "-1420.54"], ["20", "-367.71"]],
  ] as const
).flatMap(([month, ...purchases]) =>
  purchases.map(([day, amount]) => ({ day: `${month}-${day}`, name: "Kobmand Holm", amount, mcc: 5411 })),
);
/** Four places, twice each, 200.00 a time. */
const restaurants: Paid[] = [
  ["2025-06-14", "Cafe Aksel"],
  ["2025-12-13", "Cafe Aksel"],
  ["2025-08-16", "Bistro Bo"],
  ["2026-02-14", "Bistro Bo"],
  ["2025-09-20", "Grill Ib"],
  ["2026-04-18", "Grill Ib"],
  ["2025-07-12", "Kro Ulla"],
  ["2026-05-23", "Kro Ulla"],
].map(([day = "", name = ""]) => ({ day, name, amount: "-200.00", mcc: 5812 }));
/** Once a year. */
const insurance: Paid[] = ["2024-10-05", "2025-10-05"].map((day) => ({
  day,
  name: "Tryghed",
  amount: "-3600.00",
  mcc: 6300,
  type: "DIRECT_DEBIT",
}));
const sofa: Paid = { day: "2025-11-15", name: "Sofahuset", amount: "-6000.00", mcc: 5712 };
/** Nobody knows what it is; four times, 1,200.00 in all. */
const unknown: Paid[] = [
  ["2025-07-03", "-300.00"],
  ["2025-09-17", "-410.00"],
  ["2026-01-28", "-290.00"],
  ["2026-03-09", "-200.00"],
].map(([day = "", amount = ""]) => ({
  day,
  amount,
  name: "XQ Zorbo",
  type: "OTHER",
}));
const salary = monthly("2025-05", "2026-05", "28", { name: "LØNOVERFØRSEL", amount: "25000.00", type: "SALARY" });
const gift: Paid = { day: "2026-02-10", name: "Zorbini", amount: "1000.00", type: "OTHER" };

export const handChecked = ledgerOf([
  ...rent,
  ...phone,
  ...groceries,
  ...restaurants,
  ...insurance,
  sofa,
  ...unknown,
  ...salary,
  gift,
]);
