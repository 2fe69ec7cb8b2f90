// Makes pages lively that work without it: live parts ask for their page again when the service says that something changed.

const main = document.querySelector("main[data-live]");
const state = document.querySelector("[data-live-state]");
const betweenMs = 2000;

let isPressed = false;
addEventListener("pointerdown", () => (isPressed = true), true);
for (const end of ["pointerup", "pointercancel", "blur"]) addEventListener(end, () => (isPressed = false), true);

/** What a person is using just now stays as it is. */
function isBusy() {
  const at = document.activeElement;
  const isTyping = at !== null && main.contains(at) && at.matches("input, select, textarea");
  return isPressed || isTyping || !getSelection()?.isCollapsed;
}

async function renew() {
  if (isBusy() || document.hidden) return false;
  const response = await fetch(location.href, { headers: { "x-console-live": "1" }, redirect: "manual" });
  if (!response.ok) return response.status !== 401 || say(" · signed out: reload");
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  // Somebody may have begun to type while the page was on its way.
  if (isBusy()) return false;
  const fresh = page.querySelector("main");
  carryOver(main, fresh);
  const focused = document.activeElement?.getAttribute("href");
  main.replaceChildren(...fresh.childNodes);
  if (focused) [...main.querySelectorAll("a")].find((one) => one.getAttribute("href") === focused)?.focus();
  document.querySelector("footer time")?.replaceWith(page.querySelector("footer time"));
  return true;
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
