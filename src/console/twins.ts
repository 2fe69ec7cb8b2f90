/**
 * What tells the same as a page on the command line, with --json as data. A page's foot names its command; a page that is
 * a form names what does the same.
 */

/** By the page's pattern. Words such as P and BATCH stand for what the address names. */
export const twins: Readonly<Record<string, string>> = {
  "/console": "tideline status --night",
  "/console/account": "tideline console token list",
  "/console/deliveries": "tideline status",
  "/console/deliveries/:id": "tideline status BATCH",
  "/console/deliveries/:id/receipt.json": "tideline status BATCH",
  "/console/deliveries/:id/drop": "tideline quarantine show BATCH",
  "/console/deliveries/:id/withdraw": "tideline withdraw BATCH --dry-run",
  "/console/users": "tideline user list --partner P",
  "/console/users/all": "tideline crowdsourcing --population",
  "/console/users/:subject": "tideline user recognised --partner P --user U",
  "/console/users/:subject/services/:id": "tideline explain SERVICE",
  "/console/users/:subject/budgets/:id": "tideline user budget BUDGET --partner P --user U --reason WHY",
  "/console/users/:subject/export": "tideline user show --partner P --user U",
  "/console/users/:subject/erase": "tideline user erase --partner P --user U --dry-run",
  "/console/users/:subject/services/:id/cancellation": "tideline cancellation show SERVICE",
  "/console/cancellations": "tideline cancellation list",
  "/console/catalogue": "tideline catalogue list",
  "/console/catalogue/new": "tideline catalogue put",
  "/console/catalogue/products/:id": "tideline catalogue history PRODUCT",
  "/console/partners": "tideline partner list",
  "/console/partners/new": "tideline partner create",
  "/console/partners/:partnerId": "tideline partner show P",
  "/console/partners/:partnerId/onboarding": "tideline status --partner P",
  "/console/endings": "tideline partner endings",
  "/console/approvals": "tideline approvals list",
  "/console/approvals/new": "tideline approvals list",
  "/console/flow": "tideline status --flow hour",
  "/console/fleet": "tideline status --fleet",
  "/console/audit": "tideline audit",
};

/** Pages that are forms: their commands change something. */
export const forms: readonly string[] = ["/console/catalogue/new", "/console/partners/new"];
