/** The table of the drill `waiting`: what each of its lines says follows from its number. */

/** One a customer. */
export const accountsCount = 300;
/** Of these nobody says whose they are: what names them waits on. */
export const unnamedCount = 3;
/** Every so many-th record has an amount that is none. */
const faultyEvery = 1000;

export type Content = { uid: number; amount: string; description: string; day: string };

/** Whatever a line says follows from its number. */
export function contentOf(number: number): Content {
  const day = new Date(Date.UTC(2025, 0, 1 + (number % 600))).toISOString().slice(0, 10);
  return {
    uid: number % accountsCount,
    amount: `-${(number % 9000) + 1}.${String(number % 100).padStart(2, "0")}`,
    description: `KAFFE "HJØRNET"; ${number}`,
    day,
  };
}

export function isFaulty(number: number): boolean {
  return number % faultyEvery === faultyEvery - 1;
}

export function faultyOf(rows: number): number {
  return Math.floor(rows / faultyEvery);
}

export function isNamed({ uid }: Content): boolean {
  return uid < accountsCount - unnamedCount;
}

export function lineOf(table: string, number: number): string {
  const { uid, amount, description, day } = contentOf(number);
  const told = isFaulty(number) ? "1,50" : amount;
  const fields = ["1", `${table}-${uid}`, `${table}-${number}`, day, "CARD_PURCHASE", "DKK", told, description];
  return fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(";");
}

/** What waits to the end. */
export function waitingAtEnd(rows: number): number {
  let waiting = 0;
  for (let number = 0; number < rows; number += 1) if (!isNamed(contentOf(number)) && !isFaulty(number)) waiting += 1;
  return waiting;
}
