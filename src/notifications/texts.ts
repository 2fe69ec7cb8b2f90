/**
 * What messages say, by language: one file a language in config/notifications; a new one is read without any change
 * here.
 */
import { readdirSync, readFileSync } from "node:fs";
import { Type } from "typebox";
import { Check } from "typebox/value";
import { type NotificationType, notificationTypes } from "../interface/notification.ts";

export type Text = { title: string; body: string };
/** By language, English first: the interface defines that key. */
export type Texts = ReadonlyMap<string, Readonly<Record<NotificationType, Text>>>;

const folder = new URL("../../config/notifications/", import.meta.url);
const TextSchema = Type.Object({ title: Type.String({ minLength: 1 }), body: Type.String({ minLength: 1 }) });
const FileSchema = Type.Object(
  Object.fromEntries(notificationTypes.map((type) => [type, TextSchema])) as Record<
    NotificationType,
    typeof TextSchema
  >,
);

/** @throws Error naming the file that lacks a text: the service must not start with half a language */
export function readTexts(): Texts {
  const languages = readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length))
    .sort();
  const ordered = ["en", ...languages.filter((language) => language !== "en")];
  return new Map(ordered.map((language) => [language, readLanguage(language)]));
}

function readLanguage(language: string): Readonly<Record<NotificationType, Text>> {
  const texts: unknown = JSON.parse(readFileSync(new URL(`${language}.json`, folder), "utf8"));
  if (!Check(FileSchema, texts))
    throw new Error(
      `config/notifications/${language}.json lacks a text: it needs a title and a body for each of ${notificationTypes.join(", ")}`,
    );
  return texts;
}
