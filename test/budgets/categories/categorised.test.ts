import test from "ava";
import { categorise } from "../../../src/budgets/categories/categorised.ts";
import { history, row } from "./history.ts";

test("the user's answer comes before everything that is known of the payee", (t) => {
  const purchase = row({ day: "2026-10-03", amount: "-89.00", text: "NETFLIX.COM", mcc: 4899 });
  const [before] = categorise(history([purchase]));
  const [after] = categorise(history([purchase], { userRules: new Map([[before!.payeeKey, ["EDUCATION_COURSES"]]]) }));
  t.like(after, { transactionId: purchase.txid, categoryId: "EDUCATION_COURSES", rule: "USER", confidence: 1, payeeKey: "netflix" });
});

test("a service's product says what it is for", (t) => {
  const purchase = row({ day: "2026-10-03", amount: "-89.00", text: "NETFLIX.COM" });
  const series = [{ direction: "OUT" as const, productId: "netflix", paymentFrequency: "MONTHLY" as const, txids: [purchase.txid] }];
  t.like(categorise(history([purchase], { series }))[0], { categoryId: "LEISURE_STREAMING", rule: "PRODUCT", regular: true });
});

test("a merchant category code decides where it is sure, and is a candidate where it is not", (t) => {
  const [sure, unsure] = categorise(history([
    row({ day: "2026-10-03", amount: "-120.00", text: "XQZ 77 KLINIK", mcc: 742 }),
    row({ day: "2026-10-03", amount: "-120.00", text: "XQZ 78 HANDEL", mcc: 743 }),
  ]));
  t.like(sure, { categoryId: "LEISURE_PETS", rule: "MERCHANT_CATEGORY_CODE", confidence: 0.9, regular: false });
  t.like(unsure, { categoryId: null, rule: "NONE", confidence: 0, candidates: [{ categoryId: "OTHER_EXPENSES", rule: "MERCHANT_CATEGORY_CODE", confidence: 0.2 }] });
});
