/** A month as its weeks, Monday first, with what happens on its days. */
import { addDays } from "../../time/calendar.ts";
import { html, type Html } from "./html.ts";

const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;
const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

export type Entry = { day: string; what: Html };

/** @param today marked; "" for none */
export function monthCalendar(month: string, entries: readonly Entry[], today: string): Html {
  const first = `${month}-01`;
  const lead = (new Date(first).getUTCDay() + 6) % 7;
  const byDay = Map.groupBy(entries, ({ day }) => day);
  const weeks: Html[] = [];
  for (let monday = addDays(first, -lead); monday <= `${month}-31`; monday = addDays(monday, 7)) {
    const days = weekdays.map((_, at) => addDays(monday, at));
    if (days.every((day) => !day.startsWith(month))) break;
    weeks.push(
      html`<tr>
        ${days.map((day) => dayCell(day, day.startsWith(month) ? (byDay.get(day) ?? []) : null, today))}
      </tr>`,
    );
  }
  const name = `${months[Number(month.slice(5)) - 1] ?? ""} ${month.slice(0, 4)}`;
  return html`<div class="scroll" role="region" aria-label="Table: ${name}" tabindex="0">
    <table class="calendar">
      <caption>
        ${name}
      </caption>
      <thead>
        <tr>
          ${weekdays.map((one) => html`<th scope="col">${one}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${weeks}
      </tbody>
    </table>
  </div>`;
}

/** @param entries null: a day of another month */
function dayCell(day: string, entries: readonly Entry[] | null, today: string): Html {
  if (entries === null) return html`<td class="outside"></td>`;
  return html`<td ${day === today && html` class="today"`}>
    <span class="day">${Number(day.slice(8))}</span>${entries.map(({ what }) => html`<div class="entry">${what}</div>`)}
  </td>`;
}
