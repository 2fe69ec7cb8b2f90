/** What money that left was for: candidates in the order in which the rules are asked. */
import { type Product, merchantCategory } from "../../recognition/catalogue.ts";
import { merchantOf } from "../../recognition/merchant.ts";
import type { Candidate, RuleId } from "./categorised.ts";
import { findKeyword } from "./keywords.ts";
import type { Line } from "./line.ts";
import { type MerchantHit, findPayee } from "./merchants.ts";
import { groupOf } from "./tree.ts";
import { typeOf } from "../../recognition/transaction-type.ts";

/** Sold in the catalogue: surer where recognition found it to recur. */
const PRODUCT_RECOGNISED = 0.95;
const PRODUCT_NAMED = 0.9;
/** Insurers, utilities, authorities and lenders sell more than one thing: their words refine what the name says. */
const BROAD_GROUPS: ReadonlySet<string> = new Set(["INSURANCE", "UTILITIES", "COMMUNICATION", "FEES", "HOUSING", "DEBT", "CHILDREN", "SAVINGS", "WORK_MEMBERSHIPS", "TRANSPORT"]);
const UNSPECIFIC: ReadonlySet<string> = new Set(["INSURANCE_OTHER", "FEES_TAX", "OTHER_EXPENSES", "DEBT_PAY_LATER"]);
const REFINED_CONFIDENCE_MIN = 0.7;

const BY_TYPE: readonly (readonly [RegExp, string, number])[] = [
  [/CASH|ATM/, "OTHER_CASH", 0.95],
  [/FEE|CHARGE|PENALTY|INTEREST/, "FEES_BANK", 0.9],
  [/^TAX$/, "FEES_TAX", 0.85],
  [/LOAN/, "DEBT_CONSUMER_LOAN", 0.7],
  [/SECURITIES/, "SAVINGS_INVESTMENT", 0.85],
  [/PENSION/, "SAVINGS_PENSION", 0.8],
];
const BETWEEN_PEOPLE = 0.75;
/** A transfer to nobody known is most often to a person, and not sure enough to say so. */
const TRANSFER = 0.5;

export function spendingCandidates(line: Line): Candidate[] {
  const keyword = keywordOf(line);
  const merchant = merchantHit(line);
  const code = line.row.mcc === null ? null : merchantCategory(line.row.mcc);
  const type = typeCandidate(line);
  const strong = merchant?.isWeak === false ? merchant : null;
  const weak = merchant?.isWeak === true ? merchant : null;
  return [
    // Cash and the bank's own entries are what their type says, whoever the text names.
    ...(type !== null && type.confidence > 0.85 ? [type] : []),
    ...candidate("PRODUCT", productHit(line), keyword),
    ...candidate("MERCHANT", strong, keyword),
    ...(code === null ? [] : [{ categoryId: refined(code.category, keyword), rule: "MERCHANT_CATEGORY_CODE" as const, confidence: code.confidence }]),
    ...candidate("MERCHANT", weak, keyword),
    ...candidate("TEXT", keyword, null),
    ...(type === null || type.confidence > 0.85 ? [] : [type]),
  ];
}

/** A name that was cut or abbreviated in the merchant's field may be whole in the description, and the other way round. */
function merchantHit({ row, merchant, countries }: Line): MerchantHit | null {
  return findPayee(merchant.key, countries) ?? (row.merchantName === null ? null : findPayee(keyOfText(row.description), countries));
}

function productHit({ product, series }: Line): { categoryId: string; confidence: number } | null {
  if (product === null || !isTelling(product)) return null;
  return { categoryId: product.category, confidence: series === null ? PRODUCT_NAMED : PRODUCT_RECOGNISED };
}

/** A gateway says nothing of what was bought. Paying by instalments does, to whomever they go. */
function isTelling({ isGateway, category }: Product): boolean {
  return !isGateway || category === "DEBT_PAY_LATER";
}

function keywordOf({ text, kind, countries }: Line): { categoryId: string; confidence: number } | null {
  return kind === "CASH" ? null : findKeyword(text, "OUT", countries);
}

function candidate(rule: RuleId, hit: { categoryId: string; confidence: number } | null, keyword: { categoryId: string; confidence: number } | null): Candidate[] {
  return hit === null ? [] : [{ categoryId: refined(hit.categoryId, keyword), rule, confidence: hit.confidence }];
}

/** The words win inside a group that one payee may bill several leaves of, and anywhere over a name that says little. */
function refined(categoryId: string, keyword: { categoryId: string; confidence: number } | null): string {
  if (keyword === null || keyword.confidence < REFINED_CONFIDENCE_MIN || keyword.categoryId === "INSURANCE_OTHER") return categoryId;
  const group = groupOf(categoryId)!;
  const isWithin = BROAD_GROUPS.has(group) && groupOf(keyword.categoryId) === group;
  return isWithin || UNSPECIFIC.has(categoryId) ? keyword.categoryId : categoryId;
}

function typeCandidate({ row, kind, isBetweenPeople }: Line): Candidate | null {
  const name = row.rawType.toUpperCase();
  const [, categoryId, confidence] = BY_TYPE.find(([pattern]) => pattern.test(name)) ?? [];
  if (categoryId !== undefined && confidence !== undefined) return { categoryId, rule: "TYPE", confidence };
  if (isBetweenPeople) return { categoryId: "OTHER_TRANSFERS", rule: "TYPE", confidence: BETWEEN_PEOPLE };
  return kind === "TRANSFER" || typeOf(row.rawType) === "ACCOUNT_TRANSFER" ? { categoryId: "OTHER_TRANSFERS", rule: "TYPE", confidence: TRANSFER } : null;
}

function keyOfText(description: string): string {
  return merchantOf(null, description).key;
}
