/**
 * What a service is shown as. Type of product: the catalogue's where it is known, else what the merchant's category is
 * for, else what budgets know the payee or the words of the line to be for, else what name and manner of payment
 * suggest.
 */
import { findKeyword } from "../../categories/keywords.ts";
import { Memory } from "../../categories/memory.ts";
import { findPayee } from "../../categories/merchants.ts";
import { type ProductType, merchantCategory, productById } from "../../payments/catalogue.ts";
import { merchantIn, paymentKind } from "../../payments/history.ts";
import { normaliseText } from "../../payments/merchant.ts";
import type { RecognisedService } from "../recognise.ts";
import type { ProductDocument } from "../../interface/services.ts";
import { lastOf } from "../../present.ts";

/**
 * Beginnings of budget category ids whose recurring payments are fixed expenses: home, supply, insurance, duties, debt,
 * savings.
 */
const fixedCategories = [
  "HOUSING",
  "UTILITIES",
  "INSURANCE",
  "COMMUNICATION_MOBILE",
  "DEBT",
  "FEES_TAX",
  "FEES_BANK",
  "SAVINGS",
  "WORK_",
  "CHILDREN_DAYCARE",
  "CHILDREN_SCHOOL",
  "TRANSPORT_VEHICLE",
  "EDUCATION_TUITION",
];
/** Words for rent, energy, water, insurance, loans, taxes, fees, funds and day care in the languages we meet. */
const fixedWords =
  /\b(?:RENT|HUSLEJE|HUSLEIE|HYRA|VUOKRA|MIETE|HUUR|CZYNSZ|NAJEM|INSURANCE|FORSIKRING|FORSAKRING|VAKUUTUS|VERSICHERUNG|VERZEKERING|UBEZPIECZENIE|POJISTNE|POJISTENI|ELECTRIC\w*|ENERGI\w*|ENERGY|STROM|STROOM|EL|ELNET|KRAFT|POWER|GAS|WATER|VAND|VATTEN|WASSER|VARME|FJERNVARME|HEATING|LOAN|LAN|LAINA|KREDIT|CREDIT|DARLEHEN|LENING|UVER|MORTGAGE|HYPOTHEK|HYPOTEKA|REALKREDIT|TAX|SKAT|SKATT|VERO|STEUER|KOMMUNE|COUNCIL|FEE|GEBYR|AVGIFT|PENSION|KASSE|UNION|FAGFORENING|SIPO|DAGINSTITUTION|CHILDCARE|NURSERY|TELECOM|TELCO|MOBILE)\b/;
/** How money that is owed, rather than spent, usually moves. */
const fixedKinds: ReadonlySet<string> = new Set(["FEE", "INTEREST"]);

/** Address of the product's image below the base URL (no trailing slash). */
export function imageUrl(imageBaseUrl: string, imageId: string): string {
  return `${imageBaseUrl}/assets/products/${imageId}.svg`;
}

/** The interface's Product of a recognised service. @param country the brand's */
export function productDocument(service: RecognisedService, imageBaseUrl: string, country: string): ProductDocument {
  const product = service.productId === null ? null : productById(service.productId);
  return {
    title: service.title,
    imageUrl: imageUrl(imageBaseUrl, product?.id ?? imageIdOf(service.title)),
    type: productType(service, country),
    isGateway: product?.isGateway ?? false,
    isUnknownStoreSubscription: product?.isUnknownStoreSubscription ?? false,
  };
}

/** From this on a word of the line says what is owed. */
const keywordSure = 0.7;

function productType(service: RecognisedService, country: string): ProductType {
  const product = service.productId === null ? null : productById(service.productId);
  if (product !== null && !product.isGateway) return product.type;
  const category = knownCategory(service, country);
  if (category !== null && (category.isDecisive || typeOf(category.categoryId) === "OTHER_RECURRING"))
    return typeOf(category.categoryId);
  return typeByPattern(service);
}

/**
 * The budget category of the payee, by the merchant's code, what budgets know of the payee, or a word of the line;
 * words decide for fixed expenses alone. Null: nobody knows.
 */
export function knownCategory(
  service: RecognisedService,
  country: string,
): { categoryId: string; isDecisive: boolean } | null {
  const latest = lastOf(service.payments);
  const { mcc, merchantName, description } = latest;
  const coded = mcc === null ? null : merchantCategory(mcc);
  if (coded !== null) return { categoryId: coded.category, isDecisive: true };
  const payee = findPayee(merchantIn(latest).key, [country]);
  if (payee !== null && !payee.isWeak) return { categoryId: payee.categoryId, isDecisive: true };
  const keyword = findKeyword(merchantName === null ? description : `${description} ${merchantName}`, "OUT", [country]);
  return keyword !== null && keyword.confidence >= keywordSure
    ? { categoryId: keyword.categoryId, isDecisive: false }
    : null;
}

/** Whether recurring payments of a budget category are fixed expenses. */
export function isFixedExpense(categoryId: string): boolean {
  return typeOf(categoryId) === "OTHER_RECURRING";
}

function typeOf(categoryId: string): ProductType {
  return fixedCategories.some((prefix) => categoryId.startsWith(prefix)) ? "OTHER_RECURRING" : "SUBSCRIPTION";
}

/** Names of duties, fees, and bills that follow use at a cadence of months are fixed expenses. */
function typeByPattern(service: RecognisedService): ProductType {
  const latest = lastOf(service.payments);
  if (fixedWords.test(normaliseText(service.printedTitle ?? service.title))) return "OTHER_RECURRING";
  const kind = paymentKind(latest.rawType);
  if (fixedKinds.has(kind) || /SIPO|STANDING|TRANSFER/.test(latest.rawType.toUpperCase())) return "OTHER_RECURRING";
  return kind === "DIRECT_DEBIT" && !service.evidence.isFixedPrice ? "OTHER_RECURRING" : "SUBSCRIPTION";
}

/** Longest image name; titles beyond it are cut, which only shares an image. */
const imageIdLengthMax = 60;

/** Letters that no accent explains, as they are written where only plain ones are. */
const plainLetters: Readonly<Record<string, string>> = {
  æ: "ae",
  ø: "oe",
  å: "aa",
  ä: "ae",
  ö: "oe",
  ü: "ue",
  ß: "ss",
  ð: "d",
  þ: "th",
  ł: "l",
  đ: "d",
  œ: "oe",
};

const imageIds = new Memory<string>(5_000);

/** File name for a title: lower case letters, digits and hyphens; "payment" when nothing is left. */
export function imageIdOf(title: string): string {
  return imageIds.recall(title, () => madeImageId(title));
}

function madeImageId(title: string): string {
  const id = title
    .toLowerCase()
    .replace(/[^a-z0-9]/g, (letter) => plainLetters[letter] ?? letter)
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, imageIdLengthMax)
    .replace(/^-|-$/g, "");
  return id === "" ? "payment" : id;
}
