/** Every page and action of whoever is signed in, with the role that it needs. */
import {
  cancelAction,
  dropAction,
  dropPage,
  originalAction,
  releaseAction,
  retryAction,
  withdrawAction,
  withdrawPage,
} from "./actions/deliveries.ts";
import { askAction, decideAction, guardAction, rotateAction } from "./actions/approvals.ts";
import { stepAction } from "./actions/cancellation.ts";
import { editProductAction, newProductAction, takeProductAction } from "./actions/catalogue.ts";
import { eraseAction, erasePage } from "./actions/erase-user.ts";
import { exportAction, exportPage } from "./actions/users.ts";
import { steps } from "../recognition/cancellation.ts";
import { action, page } from "./access/guard.ts";
import { signOut, signOutEverywhere } from "./access/sign-in.ts";
import type { ConsoleContext, Scope } from "./context.ts";
import { liveRoute } from "./live-route.ts";
import { accountPage } from "./pages/account.ts";
import { verifyTrail } from "./actions/audit.ts";
import { approvalsPage, askPage } from "./pages/approvals.ts";
import { auditPage, exportAudit } from "./pages/audit.ts";
import { budgetPage } from "./pages/budget.ts";
import { cancellationsPage, casePage } from "./pages/cancellations.ts";
import { newProductPage, productPage } from "./pages/catalogue/product.ts";
import { cataloguePage } from "./pages/catalogue/catalogue.ts";
import { deliveriesPage } from "./pages/deliveries.ts";
import { deliveryPage, receiptDocument } from "./pages/delivery.ts";
import { fleetPage } from "./pages/fleet.ts";
import { flowPage } from "./pages/flow.ts";
import { handoverAction, newPartnerAction, newPartnerPage, onboardingPage } from "./pages/onboarding.ts";
import { endingsPage } from "./pages/endings.ts";
import { disconnectAction, partnerPage, partnersPage, replayAction } from "./pages/partners.ts";
import { populationPage } from "./pages/population.ts";
import { todayPage } from "./pages/today/today.ts";
import { explainPage, hideAction, showAction, userPage, usersPage } from "./pages/users.ts";

export function consoleRoutes(scope: Scope, context: ConsoleContext): void {
  liveRoute(scope, context);
  page(scope, context, "/console", { needs: "viewer", handle: todayPage(context) });
  page(scope, context, "/console/account", { needs: "viewer", handle: accountPage(context) });
  action(scope, context, "/console/sign-out", { needs: "viewer", handle: signOut(context) });
  action(scope, context, "/console/sign-out-everywhere", { needs: "viewer", handle: signOutEverywhere(context) });

  const one = "/console/deliveries/:id";
  page(scope, context, "/console/deliveries", { needs: "viewer", handle: deliveriesPage(context) });
  page(scope, context, one, { needs: "viewer", handle: deliveryPage(context) });
  page(scope, context, `${one}/receipt.json`, { needs: "viewer", handle: receiptDocument(context) });
  action(scope, context, `${one}/retry`, { needs: "operator", handle: retryAction(context) });
  action(scope, context, `${one}/cancel`, { needs: "operator", handle: cancelAction(context) });
  action(scope, context, `${one}/release`, { needs: "operator", handle: releaseAction(context) });
  page(scope, context, `${one}/drop`, { needs: "admin", handle: dropPage(context) });
  action(scope, context, `${one}/drop`, { needs: "admin", handle: dropAction(context) });
  page(scope, context, `${one}/withdraw`, { needs: "admin", handle: withdrawPage(context) });
  action(scope, context, `${one}/withdraw`, { needs: "admin", handle: withdrawAction(context) });
  action(scope, context, `${one}/original`, { needs: "admin", handle: originalAction(context) });

  const user = "/console/users/:subject";
  page(scope, context, "/console/users", { needs: "viewer", handle: usersPage(context) });
  page(scope, context, "/console/users/all", { needs: "viewer", handle: populationPage(context) });
  page(scope, context, user, { needs: "viewer", handle: userPage(context) });
  page(scope, context, `${user}/services/:id`, { needs: "operator", handle: explainPage(context) });
  page(scope, context, `${user}/budgets/:id`, { needs: "operator", handle: budgetPage(context) });
  page(scope, context, `${user}/export`, { needs: "admin", handle: exportPage(context) });
  action(scope, context, `${user}/export`, { needs: "admin", handle: exportAction(context) });
  page(scope, context, `${user}/erase`, { needs: "admin", handle: erasePage(context) });
  action(scope, context, `${user}/erase`, { needs: "admin", handle: eraseAction(context) });
  action(scope, context, `${user}/show`, { needs: "operator", handle: showAction(context) });

  const service = `${user}/services/:id/cancellation`;
  page(scope, context, "/console/cancellations", { needs: "viewer", handle: cancellationsPage(context) });
  page(scope, context, service, { needs: "viewer", handle: casePage(context) });
  for (const step of steps)
    action(scope, context, `${service}/${step}`, { needs: "operator", handle: stepAction(context, step) });

  const catalogue = "/console/catalogue";
  const product = `${catalogue}/products/:id`;
  page(scope, context, catalogue, { needs: "viewer", handle: cataloguePage(context) });
  page(scope, context, `${catalogue}/new`, { needs: "admin", handle: newProductPage() });
  action(scope, context, `${catalogue}/new`, { needs: "admin", handle: newProductAction(context) });
  page(scope, context, product, { needs: "viewer", handle: productPage(context) });
  action(scope, context, product, { needs: "admin", handle: editProductAction(context) });
  for (const how of ["remove", "reset"] as const)
    action(scope, context, `${product}/${how}`, { needs: "admin", handle: takeProductAction(context, how) });

  const partner = "/console/partners/:partnerId";
  page(scope, context, "/console/partners", { needs: "viewer", handle: partnersPage(context) });
  page(scope, context, "/console/partners/new", { needs: "admin", handle: newPartnerPage() });
  action(scope, context, "/console/partners/new", { needs: "admin", handle: newPartnerAction(context) });
  page(scope, context, `${partner}/onboarding`, { needs: "viewer", handle: onboardingPage(context) });
  action(scope, context, `${partner}/handover`, { needs: "admin", handle: handoverAction(context) });
  page(scope, context, partner, { needs: "viewer", handle: partnerPage(context) });
  page(scope, context, "/console/endings", { needs: "viewer", handle: endingsPage(context) });
  action(scope, context, `${partner}/disconnect`, { needs: "operator", handle: disconnectAction(context) });
  action(scope, context, `${partner}/replay`, { needs: "operator", handle: replayAction(context) });
  const approvals = "/console/approvals";
  page(scope, context, approvals, { needs: "operator", handle: approvalsPage(context) });
  page(scope, context, `${approvals}/new`, { needs: "operator", handle: askPage(context) });
  action(scope, context, `${approvals}/ask`, { needs: "operator", handle: askAction(context) });
  action(scope, context, `${approvals}/guard`, { needs: "admin", handle: guardAction(context) });
  for (const verdict of ["confirm", "refuse", "recall"] as const)
    action(scope, context, `${approvals}/:id/${verdict}`, {
      needs: "operator",
      handle: decideAction(context, verdict),
    });
  action(scope, context, "/console/keys/rotate", { needs: "admin", handle: rotateAction(context) });
  page(scope, context, "/console/flow", { needs: "viewer", handle: flowPage(context) });
  page(scope, context, "/console/fleet", { needs: "viewer", handle: fleetPage(context) });
  page(scope, context, "/console/audit", { needs: "operator", handle: auditPage(context) });
  action(scope, context, "/console/audit/verify", { needs: "operator", handle: verifyTrail(context) });
  action(scope, context, "/console/audit/export", { needs: "admin", handle: exportAudit(context) });
  action(scope, context, `${user}/hide`, { needs: "operator", handle: hideAction(context) });
}
