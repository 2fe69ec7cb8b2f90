/** What the report for the next of kin says, by language. */
import type { ReportLanguage, Translated } from "../language.ts";
import { da } from "./next-of-kin/da.ts";
import { en } from "./next-of-kin/en.ts";
import { nb } from "./next-of-kin/nb.ts";
import { sv } from "./next-of-kin/sv.ts";

export type NextOfKinTexts = Translated<typeof en>;
export const nextOfKinTexts: Readonly<Record<ReportLanguage, NextOfKinTexts>> = { en, da, nb, sv };
