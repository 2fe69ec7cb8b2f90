/** What the pages say, by language: one file a language in config/psd2; a new one is read without any change here. */
import { readdirSync, readFileSync } from "node:fs";
import { present } from "../present.ts";

const folder = new URL("../../config/psd2/", import.meta.url);

/** English has all of them; readAll sees to it that every other language has too. */
export type PageTexts = Readonly<Record<keyof English, string>>;
type English = typeof import("../../config/psd2/en.json", { with: { type: "json" } });

const byLanguage: ReadonlyMap<string, PageTexts> = readAll();

/** @param locale such as da-DK or no_NO; English where there is none of its language */
export function languageOf(locale: string): string {
  const language = locale.slice(0, locale.search(/[-_]|$/)).toLowerCase();
  const known = language === "no" || language === "nn" ? "nb" : language;
  return byLanguage.has(known) ? known : "en";
}

export function textsOf(language: string): PageTexts {
  return byLanguage.get(language) ?? present(byLanguage.get("en"), "config/psd2/en.json");
}

/** @throws Error naming the file and the text that it lacks: the service must not start with half a language */
function readAll(): ReadonlyMap<string, PageTexts> {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const all = new Map(
    names.map((name) => [
      name.slice(0, -".json".length),
      JSON.parse(readFileSync(new URL(name, folder), "utf8")) as PageTexts,
    ]),
  );
  const wanted = Object.keys(all.get("en") ?? {}) as (keyof PageTexts)[];
  for (const [language, texts] of all) {
    const missing = wanted.find((key) => typeof texts[key] !== "string" || texts[key] === "");
    if (missing !== undefined) throw new Error(`config/psd2/${language}.json lacks ${missing}`);
  }
  return all;
}
