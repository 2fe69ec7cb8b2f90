/** Everything held about one user as a file: the same as `tideline export`. */
import { PassThrough } from "node:stream";
import { countUserRows, exportDocument, findSubjectUsers } from "../../data-subjects/export.ts";
import { recordAudit } from "../../partners/audit.ts";
import { actorOf, type ConsoleContext, type Handler } from "../context.ts";
import { count, countOf } from "../templates/figures.ts";
import { actionButton } from "../templates/forms.ts";
import { html } from "../templates/html.ts";
import { table } from "../templates/table.ts";
import { ownUser } from "../pages/own-user.ts";

/** A snapshot of the database is held for it: whoever reads no further must not hold it for ever. */
const takenWithinMs = 10 * 60_000;

/** Before it goes: how much of what. */
export function exportPage(context: ConsoleContext): Handler {
  return async (visit) => {
    const { user, subject } = await ownUser(context, visit);
    const userIds = await findSubjectUsers(context.reading, user.partnerId, user.bankUserId);
    const tables = (await countUserRows(context.reading, userIds)).filter(({ rows }) => rows > 0);
    const at = `/console/users/${subject}`;
    const lines = tables.map(
      ({ name, rows }) =>
        html`<tr>
          <th scope="row">${name}</th>
          <td class="number">${count(rows)}</td>
        </tr>`,
    );
    return {
      title: "Export",
      body: html`<nav class="crumbs" aria-label="Where you are">
          <a href="/console/users">Users</a> › <a href="${at}">${user.bankUserId}</a>
        </nav>
        <h1>Export everything about ${user.bankUserId}?</h1>
        <p>
          <strong
            >${countOf(
              tables.reduce((sum, { rows }) => sum + rows, 0),
              "row",
            )}</strong
          >
          as one JSON document, with amounts and names, for the user’s own
          request${userIds.length > 1 && html`; of ${userIds.length} registrations, deleted ones that are not erased yet included`}.
          Landed originals are encrypted and hold many users: they are not part of it.
        </p>
        ${table("rows by table", ["Table", { number: "Rows" }], lines)}
        <div class="actions after">
          ${actionButton(`${at}/export`, visit.formToken, "Export it")}<a class="button second" href="${at}"
            >Leave it</a
          >
        </div>
        <p class="quiet">The audit trail keeps that you did. The same as <code>tideline export</code>.</p>`,
    };
  };
}

/** Who took it stands in the trail before the first byte goes. */
export function exportAction(context: ConsoleContext): Handler {
  const { reading, database, events } = context;
  return async (visit) => {
    const { user, subject } = await ownUser(context, visit);
    const userIds = await findSubjectUsers(reading, user.partnerId, user.bankUserId);
    const rows = (await countUserRows(reading, userIds)).reduce((sum, one) => sum + one.rows, 0);
    const entry = { partnerId: user.partnerId, event: "user.exported", details: { userIds, rows } };
    await recordAudit(database, actorOf(visit), entry);
    const body = new PassThrough();
    const limit = setTimeout(() => body.destroy(), takenWithinMs).unref();
    void exportDocument(reading, userIds, (text) => writeTo(body, text))
      .then(
        () => body.end(),
        (error: unknown) => {
          if (!body.destroyed)
            events.emit("console.failed", { method: "POST", route: "/console/users/:subject/export", error });
          body.destroy();
        },
      )
      .finally(() => clearTimeout(limit));
    void visit.reply
      .header("content-disposition", `attachment; filename="user-${subject}.json"`)
      .type("application/json")
      .send(body);
    return null;
  };
}

/** Waits while whoever asked is slower. @throws Error when they have gone */
async function writeTo(body: PassThrough, text: string): Promise<void> {
  if (!body.destroyed && body.write(text)) return;
  if (!body.destroyed)
    await new Promise<void>((resolve) => {
      const go = () => {
        body.off("drain", go).off("close", go);
        resolve();
      };
      body.on("drain", go).on("close", go);
    });
  if (body.destroyed) throw new Error("the export's reader has gone");
}
