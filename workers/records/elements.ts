/** From runs of elements to parsed values. */
import { isUtf8 } from "node:buffer";
import type { ElementRun, PassedOver, SplitElements } from "../bytes/array-splitter.ts";
import type { RecordPart } from "./record-part.ts";
import { UnreadableRecord } from "./record.ts";

/** How many elements the piece stands for. */
export function countElements(elements: SplitElements): number {
  return elements.kind === "run" ? elements.ends.length : elements.kind === "rows" ? elements.rows.count : 1;
}

/** In their order, neighbouring values together. */
export function partsOf(pieces: readonly SplitElements[]): RecordPart[] {
  const parts: RecordPart[] = [];
  for (const piece of pieces) {
    if (piece.kind === "rows") {
      parts.push(piece);
      continue;
    }
    const last = parts.at(-1);
    const values = parseElements(piece);
    if (last?.kind === "values") last.values = [...last.values, ...values];
    else parts.push({ kind: "values", values, lines: null });
  }
  return parts;
}

/** One value an element; UnreadableRecord where an element is no JSON, no UTF-8, or was passed over. */
export function parseElements(elements: ElementRun | PassedOver): unknown[] {
  if (elements.kind === "passed-over") return [new UnreadableRecord(elements.reason)];
  // All at once is four times as fast as one by one; only a run with a broken element takes the slow way.
  const values = isUtf8(elements.bytes) ? parse(`[${elements.bytes.toString()}]`) : undefined;
  return Array.isArray(values) ? values : parseOneByOne(elements);
}

function parseOneByOne(run: ElementRun): unknown[] {
  return run.ends.map((end, index) => {
    const bytes = run.bytes.subarray(index === 0 ? 0 : (run.ends[index - 1] ?? 0) + 1, end);
    if (!isUtf8(bytes)) return new UnreadableRecord("is not UTF-8");
    const value = parse(bytes.toString());
    return value === undefined ? new UnreadableRecord("is not JSON") : value;
  });
}

/** Undefined, which no JSON text stands for, when the text is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
