/**
 * The month in the line: who pays by hand writes which month is paid for, and who bills says it, while the day of the
 * payment is anybody's. Where nearly each line of a payee names a month of its own, near that of its booking, the months
 * tell what the days do not.
 */
import { numberFromParts } from "../../time/calendar.ts";
import { chronologically } from "../history.ts";
import { normaliseText } from "../normalise.ts";
import { movedPayment, type Payment } from "../payment.ts";

/** Fewer may be the numbers of invoices. */
const linesMin = 4;
const linesMax = 150;
/** So large a part of the lines names a month, and so many of the months are named once. */
const namedShareMin = 0.8;
const ownMonthShareMin = 0.9;
/** Paid for some time ahead, or behind. */
const monthsAheadMax = 1;
const monthsBehindMax = 2;
/** In the middle, so that no month's end comes near the next one's beginning. */
const dayInMonth = 15;
const monthsPerYear = 12;
const century = 2_000;

/** Whole, and as they are shortened; letters have lost their marks. By month, in the languages whose lines we meet. */
const names = [
  "JANUARY JANUAR JANUARI JANVIER ENERO GENNAIO JANEIRO STYCZEN STYCZNIA LEDEN TAMMIKUU JAN",
  "FEBRUARY FEBRUAR FEBRUARI FEVRIER FEBRERO FEBBRAIO FEVEREIRO LUTY LUTEGO UNOR HELMIKUU FEB",
  "MARCH MARZ MAERZ MAART MARS MARZO MARCO MARZEC MARCA BREZEN MAALISKUU MRZ",
  "APRIL AVRIL ABRIL APRILE KWIECIEN KWIETNIA DUBEN HUHTIKUU APR",
  "MAY MAI MAJ MEI MAYO MAGGIO MAIO MAJA KVETEN TOUKOKUU",
  "JUNE JUNI JUIN JUNIO GIUGNO JUNHO CZERWIEC CZERWCA CERVEN KESAKUU JUN",
  "JULY JULI JUILLET JULIO LUGLIO JULHO LIPIEC LIPCA CERVENEC HEINAKUU JUL",
  "AUGUST AUGUSTI AUGUSTUS AOUT AGOSTO SIERPIEN SIERPNIA SRPEN ELOKUU AUG",
  "SEPTEMBER SEPTEMBRE SEPTIEMBRE SETTEMBRE SETEMBRO WRZESIEN WRZESNIA ZARI SYYSKUU SEP SEPT",
  "OCTOBER OKTOBER OCTOBRE OCTUBRE OTTOBRE OUTUBRO PAZDZIERNIK PAZDZIERNIKA RIJEN LOKAKUU OKT OCT",
  "NOVEMBER NOVEMBRE NOVIEMBRE NOVEMBRO LISTOPAD LISTOPADA MARRASKUU NOV",
  "DECEMBER DEZEMBER DECEMBRE DICIEMBRE DICEMBRE DEZEMBRO GRUDZIEN GRUDNIA PROSINEC JOULUKUU DEC DEZ DES DESEMBER",
];
const monthOf: ReadonlyMap<string, number> = new Map(
  names.flatMap((ofMonth, month) => ofMonth.split(" ").map((name) => [name, month] as const)),
);
/** A month's name, and its year where one follows; a day before it makes it another thing. */
const nameAndYear = new RegExp(
  String.raw`(?<![A-Z\d])(?<!\d[ .-]{1,2})(${[...monthOf.keys()].sort((a, b) => b.length - a.length).join("|")})(?![A-Z])(?:[ .'/-]{0,2}(20\d\d|\d\d)(?!\d))?`,
);

/** A month and a year with a separator between them that are part of no day and no longer number: 6/2017, 2017-06. */
const monthAndYear =
  /(?<![\d./-])(?:(0?[1-9]|1[0-2]) ?[./-] ?(20\d\d)|(20\d\d) ?[./-] ?(0[1-9]|1[0-2]))(?![\d]|[./-]\d)/;

/**
 * The payments whose lines name a month in the middle of that month, by day; the same list where the lines name none.
 * @param payments one payee's, by day.
 */
export function byMonthInLine(payments: readonly Payment[]): readonly Payment[] {
  if (payments.length < linesMin || payments.length > linesMax) return payments;
  const missingMax = Math.floor((1 - namedShareMin) * payments.length);
  const months = new Map<Payment, number>();
  let missing = 0;
  for (const payment of payments) {
    const month = monthIn(payment);
    if (month !== null) months.set(payment, month);
    else if (++missing > missingMax) return payments;
  }
  if (new Set(months.values()).size < ownMonthShareMin * months.size) return payments;
  return payments
    .map((payment) => {
      const month = months.get(payment);
      return month === undefined
        ? payment
        : movedPayment(
            payment,
            numberFromParts(Math.floor(month / monthsPerYear), (month % monthsPerYear) + 1, dayInMonth),
          );
    })
    .sort(chronologically);
}

/** Months since the year 0; null: the line names none that lies near its booking. */
function monthIn({ transaction: { description }, monthIndex }: Payment): number | null {
  const named = numbersIn(description) ?? nameIn(description, monthIndex);
  return named === null || named > monthIndex + monthsAheadMax || named < monthIndex - monthsBehindMax ? null : named;
}

function numbersIn(line: string): number | null {
  const match = monthAndYear.exec(line);
  if (match === null) return null;
  const [, month, year, yearBefore, monthBehind] = match;
  return Number(year ?? yearBefore) * monthsPerYear + Number(month ?? monthBehind) - 1;
}

/** Without a year the month of that name that is nearest. */
function nameIn(line: string, booked: number): number | null {
  const match = nameAndYear.exec(normaliseText(line));
  if (match === null) return null;
  const [, name = "", year] = match;
  const month = monthOf.get(name) ?? 0;
  if (year !== undefined) return (century + (Number(year) % century)) * monthsPerYear + month;
  const ahead = (((month - booked) % monthsPerYear) + monthsPerYear) % monthsPerYear;
  return booked + (ahead > monthsPerYear / 2 ? ahead - monthsPerYear : ahead);
}
