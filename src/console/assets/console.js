// Makes pages lively that work without it: live parts ask for their page again when the service says that something changed.

const main = document.querySelector("main[data-live]");
const state = document.querySelector("[data-live-state]");
const betweenMs = 2000;

// On narrow screens the sections are a row that scrolls: where one is stands in it.
const sections = document.querySelector("nav.sections");
const here = sections?.querySelector("[aria-current]");
if (here) sections.scrollLeft = here.offsetLeft - (sections.clientWidth - here.offsetWidth) / 2;

let isPressed = false;
addEventListener("pointerdown", () => (isPressed = true), true);
for (const end of ["pointerup", "pointercancel", "blur"]) addEventListener(end, () => (isPressed = false), true);

/** What a person is using just now stays as it is. */
function isBusy() {
  const at = document.activeElement;
  const isTyping = at !== null && main.contains(at) && at.matches("input, select, textarea");
  return isPressed || isTyping || !getSelection()?.isCollapsed;
}

/** The page's pieces as the service sent them last: the marks in their order, and each one's text. */
let marks = [];
let pieces = new Map();

async function renew() {
  if (isBusy() || document.hidden) return false;
  const headers = { "x-console-live": marks.join("") || "none" };
  const response = await fetch(location.href, { headers, redirect: "manual" });
  if (!response.ok) return response.status !== 401 || say(" · signed out: reload");
  const changed = await response.json();
  // Somebody may have begun to type while the page was on its way.
  if (isBusy()) return false;
  if (changed.pieces) show(changed.pieces);
  const time = document.querySelector("footer time");
  time.dateTime = changed.asOf;
  time.textContent = changed.shown;
  return true;
}

/** @param sent a mark alone: that piece as it was */
function show(sent) {
  const given = sent.map((one) => (typeof one === "string" ? [one, pieces.get(one)] : one));
  const text = given.map(([, piece]) => piece).join("");
  const fresh = new DOMParser().parseFromString(`<main>${text}</main>`, "text/html").querySelector("main");
  carryOver(main, fresh);
  const focused = document.activeElement?.getAttribute("href");
  bring(main, fresh);
  if (focused && !main.contains(document.activeElement))
    [...main.querySelectorAll("a")].find((one) => one.getAttribute("href") === focused)?.focus();
  marks = given.map(([mark]) => mark);
  pieces = new Map(given);
}

/** What is equal stays where it is, with how far it was scrolled and who has the keyboard in it. */
function bring(from, to) {
  const [old, fresh] = [[...from.childNodes], [...to.childNodes]];
  let same = 0;
  while (same < old.length && same < fresh.length && old[same].isEqualNode(fresh[same])) same += 1;
  let after = 0;
  while (same + after < Math.min(old.length, fresh.length) && old.at(-1 - after).isEqualNode(fresh.at(-1 - after)))
    after += 1;
  const [gone, come] = [old, fresh].map((list) => list.slice(same, list.length - after));
  if (gone.length === come.length) {
    for (const [at, one] of gone.entries())
      if (isAlike(one, come[at])) bring(one, come[at]);
      else one.replaceWith(come[at]);
    return;
  }
  const next = old[old.length - after] ?? null;
  for (const one of gone) one.remove();
  for (const one of come) from.insertBefore(one, next);
}

/** But for what is in them. */
function isAlike(one, other) {
  return one.nodeType === Node.ELEMENT_NODE && one.cloneNode(false).isEqualNode(other.cloneNode(false));
}

/** What a person typed, chose or unfolded and has not sent yet. */
function carryOver(from, to) {
  for (const field of from.querySelectorAll("input[id], select[id], textarea[id]")) {
    const next = to.querySelector(`#${CSS.escape(field.id)}`);
    if (next === null) continue;
    const isTicked = field.type === "checkbox" || field.type === "radio";
    if (isTicked && field.checked !== field.defaultChecked) next.checked = field.checked;
    const isChosen = field.matches("select") && [...field.options].some((one) => one.selected !== one.defaultSelected);
    if (isChosen || (!isTicked && field.defaultValue !== undefined && field.value !== field.defaultValue))
      next.value = field.value;
  }
  const open = [...from.querySelectorAll("details[open] > summary")].map((one) => one.textContent);
  for (const summary of to.querySelectorAll("details > summary"))
    if (open.includes(summary.textContent)) summary.parentElement.open = true;
}

function say(text) {
  if (state) state.textContent = text;
  return true;
}

function follow() {
  let isDue = false;
  let isRunning = false;
  const work = async () => {
    if (isRunning) return;
    isRunning = true;
    while (isDue) {
      isDue = false;
      const done = await renew().catch(() => false);
      if (!done) isDue = true;
      await new Promise((later) => setTimeout(later, betweenMs));
    }
    isRunning = false;
  };
  const source = new EventSource("/console/live");
  source.addEventListener("open", () => {
    say(" · live");
    // What changed between this page and the first that is told.
    isDue = true;
    void work();
  });
  source.addEventListener("error", () => say(" · connecting again …"));
  source.addEventListener("over", () => {
    source.close();
    say(" · signed out: reload");
  });
  source.addEventListener("change", () => {
    isDue = true;
    void work();
  });
  addEventListener("pagehide", () => source.close());
}

if (main) follow();

// A form is sent once, however often its button is pressed.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post") return;
  if (form.dataset.sent) event.preventDefault();
  else form.dataset.sent = "yes";
});
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});
