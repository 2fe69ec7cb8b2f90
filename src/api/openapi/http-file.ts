/**
 * Every call of the interface as one `.http` file, for the httpYac extension of editors and its command line: in an order
 * in which all of them can be sent one after the other, each taking what it needs from the answers before. Pure.
 */
import { readFileSync } from "node:fs";
import type { ApiDocument } from "./document.ts";
import { type Operation, operationsOf, requestExampleOf } from "./operations.ts";

const prefix = "/partner/{partnerId}/2.0.0";
/** What the calls have in common: where to call and as whom, sealing, signing, waiting. */
const head = readFileSync(new URL("http-file-head.http", import.meta.url), "utf8");
const messageHeaders = [
  "Authorization: Bearer {{receiver.token}}",
  "webhook-id: {{kept.messageId}}",
  "webhook-timestamp: {{kept.messageTime}}",
  "webhook-signature: {{kept.messageSignature}}",
];

type Call = {
  /** What is sent instead of the document's example; texts may name variables. */
  body?: unknown;
  /** Of a call that cannot succeed here; else the first success of the document. */
  status?: number;
  /** Lines of script before it. */
  before?: string;
  /** What later calls name, by an expression on `answer`. */
  keeps?: Readonly<Record<string, string>>;
  /** Said above it. */
  note?: string;
};

/** In the order in which they are sent. */
const calls: Readonly<Record<string, Call>> = {
  isAlive: {},
  isReady: {},
  isReadyForReads: {},
  isReadyForWrites: {},
  readOpenApi: {},
  readReference: {},
  readMetrics: {},
  createUser: { body: { bankUserId: "{{customer}}", brand: "{{brand}}", locale: "da-DK" } },
  listEncryptionKeys: { keeps: { key: `answer.keys.find(({ use }) => use === "enc")` } },
  pushTransactions: {
    note: "Thirteen months of payments, and the marker that the history is complete",
    before: "kept.txs = seal(history(), kept.key);",
    body: { reqId: "{{newId()}}", txs: "{{kept.txs}}" },
  },
  logIn: {
    before: "kept.payload = signLogin();",
    body: { payload: "{{kept.payload}}" },
    keeps: { token: "answer.token" },
  },
  listTransactions: {
    before: `await until200("/services");`,
    keeps: { transactionId: "answer.find(({ amount }) => amount === -79).id" },
  },
  submitCrowdsourcing: { body: { id: "{{kept.transactionId}}", paymentFrequency: "MONTHLY" } },
  listServices: {
    keeps: {
      serviceId: "answer.services[0].id",
      imageId: "answer.services[0].product.imageUrl.match(/([\\w-]+)\\.svg/)[1]",
      alertId: "answer.alerts[0].id",
    },
  },
  readProductImage: {},
  getService: {},
  setServiceHidden: {},
  setAlertsSeen: { body: ["{{kept.alertId}}"] },
  listUpcomingPayments: {},
  listIncome: {},
  putAccountBalances: {
    body: {
      accounts: [
        { accountId: "{{customer}}-a", accountName: "Budget", observedTime: "{{today}}T08:30:00Z", balance: 12500.75 },
      ],
    },
  },
  listBudgetCategories: {},
  createBudget: { keeps: { budgetId: "answer.id" } },
  getBudget: {
    before: `await until200("/budgets/" + kept.budgetId);`,
    keeps: {
      categoryId: "answer.categories[0].categories[0].id",
      expenseId: "answer.categories[0].categories[0].expenses[0].id",
    },
  },
  getBudgetDetails: {},
  getBudgetExpense: {},
  setBudgetUserData: {},
  getBudgetUserData: {},
  setBudgetDebts: {},
  adjustBudgetCategory: {},
  removeBudgetAdjustment: {},
  getNextQuestion: { keeps: { actionId: "answer.id", asked: "answer.category ?? answer.potentialCategories[0]" } },
  skipQuestion: {},
  answerQuestion: {
    body: {
      type: "USER_PROVIDED",
      title: "Told by the customer",
      amount: 2500,
      paymentFrequency: "MONTHLY",
      categories: [{ id: "{{kept.asked}}" }],
    },
  },
  undoAnswer: {},
  setCoapplicant: {},
  setBudgetComment: {},
  completeBudget: {},
  makeBudgetReport: {},
  requestReport: { body: { type: "NEXT_OF_KIN" }, keeps: { documentId: "answer.documentId" } },
  readReport: { before: `await until200("/reports/" + kept.documentId);` },
  initiatePsd2: { keeps: { loginId: "answer.loginId" } },
  confirmPsd2: {
    note: "The code is brought by the customer's browser, from the page that the call before names; this one nobody was given",
    status: 404,
    body: { loginId: "{{kept.loginId}}", code: "A".repeat(43) },
  },
  keepAccounts: { body: ["{{customer}}-a"] },
  deleteUser: {},
  receiveNotification: {
    note: "To a receiver of yours, as it will come from us: signed as Standard Webhooks says",
  },
};

/** @throws Error naming an operation without a call, or a call without an operation */
export function httpFile(document: ApiDocument): string {
  const operations = new Map(operationsOf(document).map((one) => [one.operation.operationId ?? "", one]));
  const strays = [...new Set([...Object.keys(calls), ...operations.keys()])].filter(
    (id) => !calls[id] || !operations.has(id),
  );
  if (strays.length > 0) throw new Error(`http-file.ts and the document differ in ${strays.join(", ")}`);
  const told = Object.entries(calls).map(([id, call]) => callOf(operations.get(id) as Operation, call, document));
  return head + told.join("\n");
}

function callOf({ method, path, operation }: Operation, call: Call, document: ApiDocument): string {
  const isOurs = path.startsWith("/");
  const example = call.body ?? requestExampleOf(operation, document);
  const before = isOurs ? call.before : `signMessage(${JSON.stringify(example)});`;
  const status = call.status ?? Object.keys(operation.responses ?? {}).find((one) => one.startsWith("2"));
  const needsToken = isOurs && (operation.security?.length ?? 0) > 0;
  return [
    `### ${operation.summary ?? ""}`,
    ...(call.note === undefined ? [] : [`# ${call.note}.`]),
    `# @name ${operation.operationId ?? ""}`,
    ...(isOurs ? [] : ["# @disabled !receiver.url"]),
    ...(before === undefined ? [] : script([before])),
    `${method} ${addressOf(path)}`,
    ...(needsToken ? ["Authorization: Bearer {{kept.token}}"] : []),
    ...(isOurs ? [] : messageHeaders),
    ...(example === undefined ? [] : ["Content-Type: application/json", ""]),
    ...(example === undefined ? [] : [isOurs ? JSON.stringify(example, null, 2) : "{{kept.message}}"]),
    "",
    `?? status == ${status}`,
    "",
    ...keeping(call.keeps),
  ].join("\n");
}

/** Parameters are what answers before were kept as. */
function addressOf(path: string): string {
  const place = path.startsWith(prefix) ? path.slice(prefix.length) : path;
  const named = place.replaceAll(/\{(\w+)\}/g, "{{kept.$1}}").replace("{{kept.notification_url}}", "{{receiver.url}}");
  if (!path.startsWith("/")) return named;
  return `${path.startsWith(prefix) ? "{{api}}" : "{{service}}"}${named}`;
}

function keeping(keeps: Call["keeps"]): string[] {
  if (keeps === undefined) return [];
  const kept = Object.entries(keeps).map(([name, expression]) => `kept.${name} = ${expression};`);
  return [...script(["const answer = response.parsedBody;", ...kept]), ""];
}

function script(lines: readonly string[]): string[] {
  return ["{{", ...lines.map((line) => `  ${line}`), "}}"];
}
