/** Names the rules by which budgets are made; a frozen budget keeps the one it was made by. */
import { treeVersion } from "../categories/tree.ts";

/** Grows with each change of a rule that can change a figure. */
const rules = 23;

export const rulesVersion: string = `budget-${rules}, categories ${treeVersion}`;
