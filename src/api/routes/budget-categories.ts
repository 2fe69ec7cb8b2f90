/** The category tree of budgets: an extra read beside the interface's endpoints. */
import { Type } from "@fastify/type-provider-typebox";
import { chooseLanguage } from "../../texts/choose.ts";
import { type Category, childrenOf, expenseRoots, incomeRoots, nameOf, treeVersion } from "../../categories/tree.ts";
import { readLocale } from "../../partners/users.ts";
import type { ApiContext, App } from "../context.ts";
import { userOf } from "../identify.ts";
import type { Language } from "../../texts/languages.ts";

const identifying = {
  id: Type.String({ description: "What adjustments and answers name the category by." }),
  name: Type.String({
    description: "In the language that Accept-Language asks for, else the user's; English where neither is known.",
  }),
};
const costed = {
  coicop2018: Type.Union([Type.String(), Type.Null()], {
    description: "Code of the statistical classification COICOP 2018.",
  }),
  costType: Type.Enum(["FIXED", "VARIABLE", "DISCRETIONARY", "FINANCIAL", "SAVINGS"], { title: "CostType" }),
  essential: Type.Boolean(),
};
const ExpenseLeafSchema = Type.Object({ ...identifying, ...costed }, { title: "ExpenseCategoryLeaf" });
const ExpenseGroupSchema = Type.Object(
  { ...identifying, ...costed, categories: Type.Array(ExpenseLeafSchema) },
  { title: "ExpenseCategoryGroup" },
);
const IncomeLeafSchema = Type.Object(identifying, { title: "IncomeCategoryLeaf" });
const IncomeGroupSchema = Type.Object(
  { ...identifying, categories: Type.Array(IncomeLeafSchema) },
  { title: "IncomeCategoryGroup" },
);
const BudgetCategoriesSchema = Type.Object(
  {
    version: Type.String({ description: "Changes when a category is added or renamed." }),
    expenses: Type.Array(ExpenseGroupSchema),
    income: Type.Array(IncomeGroupSchema),
  },
  { title: "BudgetCategories", description: "Groups with their leaves, in the order in which a form shows them." },
);

export async function budgetCategoriesRoutes(scope: App, context: ApiContext): Promise<void> {
  scope.get(
    "/budget-categories",
    {
      schema: {
        operationId: "listBudgetCategories",
        summary: "List the categories of budgets",
        description: "Ids are opaque, never used again, and unique over expenses and income.",
        tags: ["Budgets"],
        response: { 200: BudgetCategoriesSchema },
      },
      config: { produces: "application/json" },
    },
    async (request, reply) => {
      const language = chooseLanguage(
        request.headers["accept-language"],
        await readLocale(context.database, userOf(request).id),
      );
      return reply
        .header("content-language", language)
        .header("vary", "accept-language")
        .send({
          version: treeVersion,
          expenses: expenseRoots.map((group) => ({
            ...expenseOf(group, language),
            categories: childrenOf(group.id).map((leaf) => expenseOf(leaf, language)),
          })),
          income: incomeRoots.map((group) => ({
            ...named(group, language),
            categories: childrenOf(group.id).map((leaf) => named(leaf, language)),
          })),
        });
    },
  );
}

function named(category: Category, language: Language): { id: string; name: string } {
  return { id: category.id, name: nameOf(category, language) };
}

function expenseOf(category: Category, language: Language) {
  const { coicop2018, costType, essential } = category;
  if (costType === null) throw new RangeError(`${category.id} of the category tree has no cost type`);
  return { ...named(category, language), coicop2018, costType, essential };
}
