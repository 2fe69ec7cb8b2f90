/** What every report says, by language. */
import type { ReportLanguage, Translated } from "../language.ts";
import { da } from "./shared/da.ts";
import { en } from "./shared/en.ts";
import { nb } from "./shared/nb.ts";
import { sv } from "./shared/sv.ts";

export type SharedTexts = Translated<typeof en>;
export const sharedTexts: Readonly<Record<ReportLanguage, SharedTexts>> = { en, da, nb, sv };
