/** One's own account: what it may do, where it is signed in. */
import { listSessions } from "../access/sessions.ts";
import type { ConsoleContext, Handler } from "../context.ts";
import { actionButton } from "../templates/forms.ts";
import { html } from "../templates/html.ts";
import { when } from "../templates/times.ts";

const mayOf = {
  viewer: "Looks at everything; amounts and names stay masked.",
  operator:
    "Also retries, calls off and releases deliveries, disconnects SFTP sessions, shows a user’s payments with a reason, and reads the audit trail.",
  admin: "Also drops, withdraws, downloads, exports and erases.",
} as const;

export function accountPage({ database, sessionLife }: ConsoleContext): Handler {
  return async ({ account, cookie, formToken }) => {
    const sessions = await listSessions(database, account.id, cookie, sessionLife);
    const rows = sessions.map(
      (one) =>
        html`<tr>
          <th scope="row">${one.address}${one.isThis && html` <span class="badge calm">this one</span>`}</th>
          <td>${when(one.createdAt, undefined)}</td>
          <td>${when(one.seenAt, undefined)}</td>
        </tr>`,
    );
    return {
      title: "Your account",
      body: html`<h1>${account.name}</h1>
        <p>
          <span class="badge calm">${account.role}</span> ${mayOf[account.role]}
          ${account.partnerIds === null ? "All partners." : html`Partners: ${account.partnerIds.join(", ")}.`}
        </p>
        <section aria-labelledby="sessions">
          <h2 id="sessions">Where you are signed in</h2>
          <div class="scroll" role="region" aria-label="Table: sessions" tabindex="0">
            <table>
              <thead>
                <tr>
                  <th scope="col">From</th>
                  <th scope="col">Since</th>
                  <th scope="col">Last seen</th>
                </tr>
              </thead>
              <tbody>
                ${rows}
              </tbody>
            </table>
          </div>
          <p class="quiet">
            A session ends after ${sessionLife.idleMinutes} minutes without a page, and after ${sessionLife.hours} hours
            in any case.
          </p>
          <div class="actions">
            ${actionButton("/console/sign-out", formToken, "Sign out", { kind: "second" })}${actionButton("/console/sign-out-everywhere", formToken, "Sign out everywhere", { kind: "danger" })}
          </div>
        </section>`,
    };
  };
}
