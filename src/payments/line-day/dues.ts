/**
 * Words in the languages we meet for what is owed again and again, whoever asks for it: dues, rent, parts of a loan, what
 * is subscribed to or topped up by itself. What is bought carries none of them, for a shop's line tells no duration.
 */
import type { Payment } from "../payment.ts";
import { itemAt, lastOf } from "../../present.ts";

const words = [
  // English. Who rents out cars is a shop.
  "memberships?",
  "subscr(?:ip(?:t(?:io?n?)?)?)?s?",
  "(?<!car |auto |bike )rent(?! ?(?:a|car|inc|ltd|gmbh|bike|auto)\\b)",
  "instal?lments?",
  "monthly",
  "annual",
  "tuition",
  "auto(?:matic)?[ -]?(?:load|pay|renew(?:al)?|top[ -]?up)",
  // German
  "mitgliedsbeitrag",
  "(?:monats|jahres|vereins|quartals)?beitrag",
  "abo(?:nnement)?s?",
  "(?:warm|kalt|monats|garagen|stellplatz)?miete",
  "pacht",
  "abschlag",
  "\\d{1,2}\\. ?rate",
  // Dutch
  "contributie",
  "lidmaatschap",
  "(?:kamer|maand)?huur",
  "(?:maand|jaar)?premie",
  "termijn",
  // French
  "abonn?ements?",
  "cotisations?",
  "loyers?",
  "mensualit(?:e|é)s?",
  // Danish, Norwegian, Swedish
  "kontingent(?:et)?",
  "medlems(?:kontingent|avgift)",
  "abonnemang(?:et)?",
  "husle(?:je|ie)",
  "hyra",
  "(?:månads|års|manads|ars)avgift",
  "rate \\d{1,2} (?:af|av)",
  // Finnish
  "jäsenmaksu",
  "vuokra",
  "(?:hoito|yhtiö)?vastike",
  // Italian, Spanish, Portuguese
  "canone",
  "abbonamento",
  "affitto",
  "rata",
  "cuota",
  "suscripci(?:o|ó)n",
  "alquiler(?! de)",
  "mensalidade",
  "anuidade",
  "assinatura",
  "renda",
  // Polish, Czech, Hungarian, Turkish
  "czynsz",
  "abonament",
  "sk[lł]adka",
  "n[aá]jem(?:ne|né)?",
  "předplatné",
  "tagdíj",
  "kira (?:bedeli|ödemesi|odemesi)",
  "aidat",
  "taksit",
  "abonelik",
];

const dues = new RegExp(`(?<!\\p{L})(?:${words.join("|")})(?!\\p{L})`, "iu");

/** Whether the lines of the two latest payments name something that is owed again and again. */
export function nameDues(payments: readonly Payment[]): boolean {
  if (payments.length < 2) return false;
  const latest = lastOf(payments);
  const before = itemAt(payments, payments.length - 2);
  return dues.test(latest.transaction.description) && dues.test(before.transaction.description);
}
