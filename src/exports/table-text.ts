/**
 * Rows as COPY tells them in its text format: a line a row, tabs between fields, what could be mistaken escaped
 * (PostgreSQL documentation, COPY, "Text Format").
 */

/** Reads whole lines out of the pieces in which a COPY comes, which end anywhere. */
export class TableText {
  #rest: Buffer = Buffer.alloc(0);

  /** The rows that are whole now; a row is its fields, null where there is none. */
  rows(piece: Buffer): (string | null)[][] {
    const end = piece.lastIndexOf(lineEnd);
    if (end < 0) {
      this.#rest = Buffer.concat([this.#rest, piece]);
      return [];
    }
    const whole = Buffer.concat([this.#rest, piece.subarray(0, end)]);
    this.#rest = Buffer.from(piece.subarray(end + 1));
    return whole.toString("utf8").split("\n").map(fieldsOf);
  }

  /** @throws when a COPY ended within a row */
  end(): void {
    if (this.#rest.length > 0) throw new Error("the copy ended within a row");
  }
}

const lineEnd = 0x0a;
const nothing = String.raw`\N`;

/** In place: most rows lack something, and another list for each of them is a tenth of all that this costs. */
function fieldsOf(line: string): (string | null)[] {
  const fields: (string | null)[] = line.split("\t");
  if (!line.includes("\\")) return fields;
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at] as string;
    if (field === nothing) fields[at] = null;
    else if (field.includes("\\")) fields[at] = unescaped(field);
  }
  return fields;
}

const meanings: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/** @param field as the text format has it, and not null */
export function unescaped(field: string): string {
  return field.replaceAll(/\\(.)/gs, (_, letter: string) => meanings[letter] ?? letter);
}
