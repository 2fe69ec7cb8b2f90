/** One table of all formats of an export. */
import { CsvEncoder } from "./csv.ts";
import type { Column } from "./datasets.ts";
import type { Encoder } from "./encoder.ts";
import { JsonLinesEncoder } from "./json-lines.ts";
import { ParquetEncoder } from "./parquet.ts";

export const exportFormats = ["csv", "jsonl", "parquet"] as const;
export type ExportFormat = (typeof exportFormats)[number];

const encoders: Readonly<Record<ExportFormat, new (columns: readonly Column[]) => Encoder>> = {
  csv: CsvEncoder,
  jsonl: JsonLinesEncoder,
  parquet: ParquetEncoder,
};

export function encoderOf(format: ExportFormat, columns: readonly Column[]): Encoder {
  return new encoders[format](columns);
}
