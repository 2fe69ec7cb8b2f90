/** What a file format is, piece by piece: forgetting one does not compile. */
import type { DeliveryReader, FileInput } from "./reader.ts";
import type { FindCut } from "./cut-off.ts";
import type { FindPlainText } from "./plain-text.ts";

export type FileFormat = {
  /** Of a file's name in lower case, without its folders. No two formats take the same name. */
  name: RegExp;
  /** What such names look like, for people; formats of one family say the same. */
  names: string;
  /** What the file is and how it is read, for people: one sentence. */
  meaning: string;
  /**
   * Null: it comes in the clear, from partners that may send so, and rests encrypted by us. Else its sender encrypts it,
   * and this finds the file for which that was forgotten.
   */
  findPlainText: FindPlainText | null;
  /** Finds the upload that was broken off; null for a format whose structure does not tell. */
  findCut: FindCut | null;
  open(input: FileInput): DeliveryReader;
};
