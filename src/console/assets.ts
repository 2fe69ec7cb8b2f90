/** The console's own style, script and picture: read once, and kept by browsers for as long as their address is the same. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Scope } from "./context.ts";

const types = {
  "console.css": "text/css; charset=utf-8",
  "console.js": "text/javascript; charset=utf-8",
  "icon.svg": "image/svg+xml",
} as const;

type AssetName = keyof typeof types;

const kept = new Map<AssetName, { bytes: Buffer; address: string }>();

function assetOf(name: AssetName): { bytes: Buffer; address: string } {
  let asset = kept.get(name);
  if (!asset) {
    const bytes = readFileSync(new URL(`./assets/${name}`, import.meta.url));
    const mark = createHash("sha256").update(bytes).digest("base64url").slice(0, 12);
    asset = { bytes, address: `/console/assets/${mark}/${name}` };
    kept.set(name, asset);
  }
  return asset;
}

/** Its address changes with its content. */
export function assetAddress(name: AssetName): string {
  return assetOf(name).address;
}

export function assetRoutes(scope: Scope): void {
  for (const name of Object.keys(types) as AssetName[])
    scope.get(assetAddress(name), async (_request, reply) =>
      reply.header("cache-control", "public, max-age=31536000, immutable").type(types[name]).send(assetOf(name).bytes),
    );
}
