/** Figures that are read at a glance, each leading to what is behind it. */
import type { Tone } from "./figures.ts";
import { type Content, html, type Html } from "./html.ts";

export function tile(href: string, name: string, value: string, more: string, tone: Tone = "calm"): Html {
  return html`<li class="${tone}">
    <a href="${href}"
      ><span class="name">${name}</span><span class="value">${value}</span><span class="more">${more}</span></a
    >
  </li>`;
}

export function tiles(label: string, list: readonly Content[]): Html {
  return html`<section aria-label="${label}">
    <ul class="tiles">
      ${list}
    </ul>
  </section>`;
}
