/**
 * Of what pages for users' browsers are made: plain HTML with a style sheet of their own, no script, nothing from
 * elsewhere.
 */
import type { Language } from "../texts/languages.ts";

const style = `
:root { color-scheme: light dark; --ink: #12202f; --paper: #f5f7f9; --card: #fff; --line: #8291a0; --accent: #0b5c6b; --on-accent: #fff; --quiet: #4a5a69; }
@media (prefers-color-scheme: dark) { :root { --ink: #eef3f6; --paper: #10171d; --card: #1a242c; --line: #71818f; --accent: #7ad0de; --on-accent: #06262c; --quiet: #b4c1cc; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--paper); color: var(--ink); font: 1.0625rem/1.55 system-ui, sans-serif; }
main { width: 100%; max-width: 30rem; background: var(--card); border-radius: 1rem; padding: clamp(1.25rem, 5vw, 2.25rem); box-shadow: 0 1px 2px #0002, 0 12px 32px #0001; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; }
p { margin: 0 0 1rem; } .quiet { color: var(--quiet); font-size: .9375rem; }
fieldset { border: 0; margin: 0 0 1.5rem; padding: 0; } legend { font-weight: 600; padding: 0; margin-bottom: .5rem; }
.choice { display: flex; gap: .75rem; align-items: center; border: 1px solid var(--line); border-radius: .625rem; padding: .75rem 1rem; margin-bottom: .5rem; cursor: pointer; }
.choice:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.choice input { width: 1.25rem; height: 1.25rem; accent-color: var(--accent); flex: none; margin: 0; }
.choice small { display: block; color: var(--quiet); overflow-wrap: anywhere; }
.choice img { object-fit: contain; background: #fff; border-radius: .375rem; flex: none; }
details { margin-bottom: .75rem; } summary { cursor: pointer; font-weight: 600; padding: .625rem .25rem; margin-bottom: .25rem; }
.search { margin-bottom: 1.25rem; } .search label { display: block; font-weight: 600; margin-bottom: .375rem; }
.search input { font: inherit; color: inherit; background: var(--paper); width: 100%; min-height: 2.875rem; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .625rem; }
.search a { display: inline-block; margin-top: .75rem; color: var(--accent); }
.stay { position: sticky; bottom: 0; background: var(--card); padding: .5rem 0 .25rem; }
button { font: inherit; font-weight: 600; width: 100%; min-height: 2.875rem; border-radius: .625rem; border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); cursor: pointer; margin-top: .5rem; padding: .5rem 1rem; }
button.second { background: transparent; color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.problem { border-left: 4px solid #b3261e; padding-left: .75rem; }
.bank { letter-spacing: .02em; color: var(--quiet); font-weight: 600; margin-bottom: .25rem; }`;

export function choice(
  type: "radio" | "checkbox",
  name: string,
  value: string,
  label: string,
  more: string,
  { checked, required = false, picture = null }: { checked: boolean; required?: boolean; picture?: string | null },
): string {
  const small = more === "" ? "" : `<small>${escape(more)}</small>`;
  // The name stands beside it: whoever cannot see the picture misses nothing.
  const image = picture === null ? "" : `<img src="${escape(picture)}" alt="" width="40" height="40" loading="lazy">`;
  return `<label class="choice"><input type="${type}" name="${name}" value="${escape(value)}"${checked ? " checked" : ""}${required ? " required" : ""}>${image}<span>${escape(label)}${small}</span></label>`;
}

export function hidden(name: string, value: string): string {
  return `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`;
}

export function hiddenAll(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => hidden(name, value))
    .join("");
}

export function page(language: Language, title: string, content: string): string {
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(title)}</title><style>${style}</style></head>
<body><main><h1>${escape(title)}</h1>${content}</main></body></html>`;
}

export function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
