/**
 * Texts that tests and fixtures write where a bank writes its customers': found in the sources, so that a new test is
 * covered.
 */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** Fields of the interface that hold what no log may. */
const fields =
  /\b(?:description|bankUserId|iban|merchantName|accountName|accessToken|refreshToken|secret|token)\b"?: *(?:"([^"\\]{8,})"|'([^'\\]{8,})')/g;
/** As banks write payees: in capitals, several words. */
const payees = /"([A-ZÆØÅÄÖ][A-ZÆØÅÄÖ0-9 .&*/-]{7,})"/g;
/** Of one word without a digit, a text is too common to say where it comes from. */
const isTelling = (text: string) => /[\s\d]/.test(text) && !text.startsWith("HTTP ") && !text.includes("${");

/** @param folder of the sources */
export async function textsOf(folder: string): Promise<string[]> {
  const texts = new Set<string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".ts") || entry.parentPath.includes("node_modules")) continue;
    const source = await readFile(path.join(entry.parentPath, entry.name), "utf8");
    for (const [, double, single] of [...source.matchAll(fields), ...source.matchAll(payees)]) {
      const text = double ?? single ?? "";
      if (isTelling(text)) texts.add(text);
    }
  }
  return [...texts];
}
