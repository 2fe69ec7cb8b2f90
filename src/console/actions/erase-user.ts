/** Removing everything about one user, after seeing how much it is: the same as `tideline user erase`. */
import { previewUserErasure } from "../../data-subjects/erase.ts";
import { findSubjectUsers } from "../../data-subjects/export.ts";
import { eraseNow } from "../../operations/users.ts";
import { Turned } from "../access/guard.ts";
import { actorOf, type ConsoleContext, type Handler } from "../context.ts";
import { ownUser } from "../pages/own-user.ts";
import { count, countOf } from "../templates/figures.ts";
import { field, hiddenField } from "../templates/forms.ts";
import { html } from "../templates/html.ts";
import { table } from "../templates/table.ts";

export function erasePage(context: ConsoleContext): Handler {
  return async (visit) => {
    const { user, subject } = await ownUser(context, visit);
    const ids = await findSubjectUsers(context.reading, user.partnerId, user.bankUserId);
    const { tables, rows, originals } = await previewUserErasure(context.reading, { ids, partnerId: user.partnerId });
    const at = `/console/users/${subject}`;
    const lines = tables.map(
      ({ name, rows: held }) =>
        html`<tr>
          <th scope="row">${name}</th>
          <td class="number">${count(held)}</td>
        </tr>`,
    );
    const age = originals.keptDays === null ? "" : `, ${countOf(originals.keptDays, "day")} after it landed`;
    return {
      title: "Erase",
      body: html`<nav class="crumbs" aria-label="Where you are">
          <a href="/console/users">Users</a> › <a href="${at}">${user.bankUserId}</a>
        </nav>
        <h1>Erase ${user.bankUserId} of ${user.partnerId}?</h1>
        <p>
          <strong>${countOf(rows, "row")}</strong>
          would be removed at once and for
          good${ids.length > 1 && html`, of ${ids.length} registrations, deleted ones included`}: nobody can bring them
          back but from a backup. Tokens end, and the partner would have to create the user anew.
        </p>
        <p>
          ${
            originals.deliveries === 0
              ? "No landed original holds payments of the user."
              : html`<strong>${countOf(originals.deliveries, "landed original")}</strong> with payments of the user
                  ${originals.deliveries === 1 ? "stays" : "stay"}: it is encrypted, holds many users, and goes by its
                  own age${age}.`
          }
          The audit trail stays, with our number of the user and no name.
        </p>
        ${table("rows by table", ["Table", { number: "Rows" }], lines)}
        <form class="ask" method="post" action="${at}/erase">
          ${hiddenField("form", visit.formToken)}
          ${field("typed", "Type the user’s id, so that it is not somebody else", "", { required: true })}
          <div class="actions">
            <button class="danger">Erase for good</button><a class="button second" href="${at}">Leave it</a>
          </div>
        </form>
        <p class="quiet">The same as <code>tideline user erase</code>.</p>`,
    };
  };
}

export function eraseAction(context: ConsoleContext): Handler {
  return async (visit) => {
    const { user, subject } = await ownUser(context, visit);
    if (visit.given.typed !== user.bankUserId.trim())
      throw new Turned(409, "Not erased", "What you typed is not the id of this user. Nothing was changed.");
    const ids = await findSubjectUsers(context.database, user.partnerId, user.bankUserId);
    const done = await eraseNow(context.database, actorOf(visit), { ids, partnerId: user.partnerId });
    if (done.outcome === "guarded") return { goTo: `/console/approvals/new?action=erase&user=${subject}` };
    return {
      title: "Erased",
      body: html`<nav class="crumbs" aria-label="Where you are"><a href="/console/users">Users</a></nav>
        <header class="headline good">
          <h1>The user is erased</h1>
          <p role="status">
            ${done.outcome === "gone" ? "Somebody had done it already." : `${countOf(done.rows, "row")} are gone.`}
          </p>
        </header>`,
    };
  };
}
