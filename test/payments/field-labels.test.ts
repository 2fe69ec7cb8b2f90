/** Labels and codes of fields that banks write beside a payee's name. */
import test from "ava";
import { withoutFieldLabels } from "../../src/payments/line-day/field-labels.ts";
import { merchantOf } from "../../src/payments/merchant.ts";

const named = test.macro({
  exec(t, description: string, title: string) {
    t.is(merchantOf(null, description).title, title);
  },
  title: (_, description) => `of "${description}" the name is told`,
});

test(named, "Addebito Diretto SDD Roret Spa COD. DISP.: 0124051234567890 MANDATO: XMPS3FHZZA92", "Roret Spa");
test(named, "Adeudo Roret Sociedad Nº Recibo 0049 123 1234567 Ref. Mandato HMS9DMUZ42T3", "Roret Sociedad");
test(named, "Zlecenie stałe Rachunek odbiorcy: 12 1020 1234 56789 Nazwa odbiorcy: RORET LIPOWA Tytuł: czynsz", "Roret Lipowa Czynsz"); // prettier-ignore
test(named, "EUROPESE DOMICILIERING 04-03 SCHULDEISER : RORET BV REF. SCHULDEISER: 123456789012 MANDAATREFERTE : 6A5WWWHASU MEDEDELING : 123456789012", "Roret"); // prettier-ignore
test(named, "Domiciliation europeenne de RORET NUMERO DE MANDAT : KAU8953CA8ZP REFERENCE BANQUE : 2501011234567 DATE VALEUR : 12/03/2025", "Roret"); // prettier-ignore
test(named, "Dauerauftrag Zahlungsempfänger: Roret Nord IBAN: AT123456789012345678 Verwendungszweck: Miete", "Roret Nord Miete"); // prettier-ignore
test(named, "Roret Nord AT123456789012345678 MANDAT LQ34L1NJP2 CID AT12ZZZ00000012345", "Roret Nord");
test(named, "Roret; Dauerauftrag; Konto-Nr. IBAN: CH1234567890123456789; Transaktions-Nr. 1234567890DA1234567", "Roret Dauerauftrag"); // prettier-ignore
test(named, "RORET NORD DES:INS PREM ID:12345678901 INDN:JOHN DOE CO ID:1234567890 PPD", "Roret Nord Ins Prem");
test(named, "RORET NORD PAYMENTS PPD ID: 1234567890", "Roret Nord Payments");
test(named, "ORIG CO NAME:RORET NORD ORIG ID:1234567890 CO ENTRY DESCR:DUES SEC:WEB IND ID:A123 IND NAME:JOHN DOE TRN: 123456", "Roret Nord Dues"); // prettier-ignore
test(named, "Incasso 08AKRK1R0HY2SXC2JV SDD da IT12ZZZ12345678901 RORET SPA mandato nr. LUR6RLW6767LU8", "Roret Spa");
test(named, "RORET NORD COMM 0,50 SPESE 0,50 TRN 85NXD1LDY2LD7BFYWB4L", "Roret Nord");
test(named, "BE14 5409 1234 5678 RORET NORD", "Roret Nord");
test(named, "IT60 X054 1234 5678 9012 3456 789 RORET NORD", "Roret Nord");
test(named, "GB29 NWBK 6016 1331 9268 19 RORET NORD BIC GKCCBEBB", "Roret Nord");

test(named, "R/ RORET NORD", "Roret Nord");

test("what stands behind a label stays where it is no code", (t) => {
  t.is(withoutFieldLabels("CONCEPTO: ALQUILER 3"), "ALQUILER 3");
  t.is(withoutFieldLabels("RORET MANDATO: CASA"), "RORET CASA");
});

test("a label's word without a colon or a code is the payee's own", (t) => {
  for (const line of ["EMPFANGER NORD", "RORET MANDAT", "SERVICE DES EAUX; NORD", "RORET TRN NORD", "IBAN CLUB: RORET"])
    t.is(withoutFieldLabels(line), line);
  t.is(withoutFieldLabels("RORET-ID: 12"), "RORET-ID: 12");
});

test("a line of nothing but fields stays as it is", (t) => {
  t.is(withoutFieldLabels("MANDAT: AB12 IBAN: CH1234567890"), "MANDAT: AB12 IBAN: CH1234567890");
});

test(named, "Withdrawal ACH Roret Nord/TYPE: WEB PMTS ID: 9000321157CO: Roret NordNAME: John DoeEntry Class Code: WEB", "Roret Nord"); // prettier-ignore
test(named, "Withdrawal POS #000000338994/RORET NORD", "Roret Nord");
