/** The words of the document's schemas, by name. */
import { budgetExtensionWords } from "./budget-extensions.ts";
import { budgetWords } from "./budgets.ts";
import type { Words } from "./form.ts";
import { otherWords } from "./others.ts";
import { serviceWords } from "./services.ts";

export const words: Words = { ...serviceWords, ...budgetWords, ...budgetExtensionWords, ...otherWords };
