/** The report says of each line that is not reached why, and says once what several have in common. */
import test from "ava";
import { lines } from "./lines.ts";
import { report } from "./report.ts";

const figures = (first: string, again: string) =>
  `1/s, ${again} of the floor, 0.20 of the identified one; first 1/s, ${first} of the floor, 0.40 of the identified one`;
const said = (text: string) => [
  { name: "read", command: "npm run bench -- read", text, day: "2026-06-30", load: 0.1, seconds: 1 },
];
const [services, upcoming] = ["services", "upcoming payments"].map((name) => {
  const line = lines.find(({ what }) => what === `GET ${name}, first, eight at once`);
  if (line?.why === undefined) throw new Error("there is no such line");
  return { what: line.what, why: line.why };
}) as [{ what: string; why: string }, { what: string; why: string }];

test("a reason that lines share stands once, below all of them", (t) => {
  const text = `services, 76.3 kB, 8 at once: repeated ${figures("0.10", "0.99")}\nupcoming payments, 5.8 kB, 8 at once: repeated ${figures("0.10", "0.99")}`;
  const page = report(said(text), "short").text;
  t.is(services.why, upcoming.why);
  const why = `${services.why.charAt(0).toUpperCase()}${services.why.slice(1)}.`;
  t.true(page.includes(`\n\n- ${services.what}\n- ${upcoming.what}\n\n${why}\n\n`));
  t.is(page.split(why).length, 2);
});

test("other lines have their own below them", (t) => {
  const text = `services, 76.3 kB, 8 at once: repeated ${figures("0.10", "0.10")}`;
  const page = report(said(text), "short").text;
  t.regex(
    page,
    /\n- GET services, first, eight at once\n\nDocuments lie [^\n]+\.\n\n- GET services, again, eight at once\n\nEach call asks [^\n]+\.\n\n/,
  );
});

test("where all is reached no reason is told", (t) => {
  const text = `services, 76.3 kB, 8 at once: repeated ${figures("0.99", "0.99")}`;
  const page = report(said(text), "short").text;
  t.false(page.includes("Not reached"));
  t.regex(page, /2 of \d+ lines are reached, \d+ were not measured\.\n\n## What each benchmark said/);
});
