/** Opens the HTTPS API: every route, in one picture. */
import { listenedAddress } from "../machine/addresses.ts";
import { servedTls, servedTlsAsking } from "../machine/tls/served.ts";
import { isLoopback, namedNetworks } from "../partners/network.ts";
import { createPartnerDirectory } from "../partners/partners.ts";
import { createTokens } from "../partners/tokens.ts";
import { auditCalls } from "./audit.ts";
import type { Beside } from "./beside.ts";
import { createApp, type NetworkSettings, type Tls } from "./app.ts";
import type { ApiContext, ApiDependencies, App } from "./context.ts";
import { type ApiDocument, documentOf, documentRoutes } from "./openapi/document.ts";
import { rememberDocuments } from "./documents/remembered.ts";
import { openServedDocuments } from "./documents/served.ts";
import { identifyPartner, identifyUser, negotiate } from "./identify.ts";
import { refuseOtherMethods } from "./methods.ts";
import { accountsRoutes } from "./routes/accounts.ts";
import { assetsRoutes } from "./routes/assets.ts";
import { budgetCoapplicantsRoutes } from "./routes/budget-coapplicants.ts";
import { budgetQuestionsRoutes } from "./routes/budget-questions.ts";
import { budgetReportRoutes } from "./routes/budget-report.ts";
import { budgetsRoutes } from "./routes/budgets.ts";
import { budgetCategoriesRoutes } from "./routes/budget-categories.ts";
import { crowdsourcingRoutes } from "./routes/crowdsourcing.ts";
import { documentationRoutes } from "./routes/documentation.ts";
import { healthRoutes } from "./routes/health.ts";
import { keysRoutes } from "./routes/keys.ts";
import { psd2Pages } from "./routes/psd2-pages.ts";
import { psd2Routes } from "./routes/psd2.ts";
import { pushRoutes } from "./routes/push.ts";
import { reportsRoutes } from "./routes/reports.ts";
import { servicesRoutes } from "./routes/services.ts";
import { transactionsRoutes } from "./routes/transactions.ts";
import { ownUserRoutes, usersRoutes } from "./routes/users.ts";

export type { ApiDependencies } from "./context.ts";

/** Adds routes of its own to a scope. */
export type Routes = (scope: App, context: ApiContext) => Promise<void>;

export type ApiSettings = NetworkSettings & {
  /** Pages and endpoints beside the interface, such as the sandbox bank's. */
  furtherPages: readonly Routes[];
  /** CIDR texts: from where /metrics may be read. */
  metricsNetworks: readonly string[];
  host: string;
  /** 0 takes any free one. */
  port: number;
  /** PEM texts: the private key, and the certificate with its chain. */
  tls: Tls;
  /** The package's version. */
  version: string;
  /** Of documents that were read lately; 0: none is remembered. */
  rememberedBytesMax: number;
};

export type Api = {
  port: number;
  /** For connections from now on. */
  renewCertificate(tls: Tls): void;
  /** From now on calls are answered as before, and their connections closed after that. */
  drain(): void;
  /** Takes no new connections, lets calls under way end within `graceMs`, then cuts what is left. */
  close(graceMs: number): Promise<void>;
};

/** Listens when it returns. @throws the system's EADDRINUSE or EACCES for a port that cannot be had. */
export async function openApi(settings: ApiSettings, dependencies: ApiDependencies): Promise<Api> {
  const { database, keyEncryptionKey, clock, events } = dependencies;
  const context: ApiContext = {
    ...dependencies,
    partners: createPartnerDirectory(database, clock),
    tokens: createTokens(database, keyEncryptionKey, clock),
    documents: rememberDocuments(settings.rememberedBytesMax),
    served: openServedDocuments(dependencies.reads),
    version: settings.version,
    isExposed:
      !isLoopback(settings.host) || settings.trustedProxies.length + (settings.proxyProtocolNetworks ?? []).length > 0,
    isProxy: namedNetworks(settings.trustedProxies),
    mayReadMetrics: namedNetworks(settings.metricsNetworks),
  };
  let isDraining = false;
  const app = createApp(settings.tls, events, {
    ...settings,
    ...(settings.beside && { beside: whileDraining(settings.beside, () => isDraining) }),
  });
  auditCalls(app, dependencies.trail);
  app.addHook("onSend", (_request, reply, payload, done) => {
    if (isDraining) reply.header("connection", "close");
    done(null, payload);
  });
  await addRoutes(app, context, settings.furtherPages);
  await app.listen({ host: await listenedAddress(settings.host), port: settings.port });
  return {
    port: portOf(app),
    renewCertificate: (tls) =>
      app.server.setSecureContext({ ...tls, ...(settings.asksForCertificates ? servedTlsAsking : servedTls) }),
    drain() {
      isDraining = true;
    },
    close(graceMs) {
      settings.beside?.release();
      return close(app, graceMs, context);
    },
  };
}

/** The document alone, from routes that are never called. */
export async function openApiDocument(): Promise<ApiDocument> {
  // Nothing of the context is used before a call arrives.
  const context = {} as ApiContext;
  const app = createApp(null, context.events, { asksForCertificates: false, trustedProxies: [] });
  await addRoutes(app, context, []);
  await app.ready();
  return documentOf(app);
}

async function addRoutes(app: App, context: ApiContext, furtherPages: readonly Routes[]): Promise<void> {
  await documentRoutes(app);
  await app.register(async (scope: App) => {
    const refuseOthers = refuseOtherMethods(scope);
    scope.addHook("onRequest", negotiate);
    await scope.register(async (inner: App) => healthRoutes(inner, context));
    await scope.register(async (inner: App) => documentationRoutes(inner));
    await scope.register(async (inner: App) => assetsRoutes(inner));
    await scope.register(async (inner: App) => psd2Pages(inner, context));
    for (const routes of furtherPages) await scope.register(async (inner: App) => routes(inner, context));
    refuseOthers();
  });
  await app.register(async (scope: App) => partnerRoutes(scope, context), { prefix: "/partner/:partnerId/2.0.0" });
}

async function partnerRoutes(scope: App, context: ApiContext): Promise<void> {
  const refuseOthers = refuseOtherMethods(scope);
  await identifyPartner(scope, context);
  await scope.register(async (open: App) => {
    open.addHook("onRequest", negotiate);
    await usersRoutes(open, context);
    await keysRoutes(open, context);
    await open.register(async (door: App) => pushRoutes(door, context));
  });
  await scope.register(async (bearer: App) => {
    identifyUser(bearer, context);
    bearer.addHook("onRequest", negotiate);
    await ownUserRoutes(bearer, context);
    await transactionsRoutes(bearer, context);
    await servicesRoutes(bearer, context);
    await crowdsourcingRoutes(bearer, context);
    await budgetsRoutes(bearer, context);
    await budgetQuestionsRoutes(bearer, context);
    await budgetCoapplicantsRoutes(bearer, context);
    await budgetReportRoutes(bearer, context);
    await reportsRoutes(bearer, context);
    await accountsRoutes(bearer, context);
    await psd2Routes(bearer, context);
    await budgetCategoriesRoutes(bearer, context);
  });
  refuseOthers();
}

/** Its answers, too, end their connections from then on. */
function whileDraining(beside: Beside, isDraining: () => boolean): Beside {
  return {
    ...beside,
    answer(request, response) {
      if (isDraining()) response.setHeader("connection", "close");
      beside.answer(request, response);
    },
  };
}

function portOf(app: App): number {
  const address = app.server.address();
  return typeof address === "object" && address ? address.port : 0;
}

async function close(app: App, graceMs: number, { documents }: ApiContext): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), graceMs);
  await app.close();
  clearTimeout(cut);
  documents.close();
}
