/** A brand's logo, as large as its place allows and never larger than its pixels are sharp. */
import type { Logo } from "./blocks.ts";
import type { Canvas } from "./canvas.ts";

type Place = { width: number; height: number };

/** At 144 pixels an inch a picture looks sharp on a screen. */
const pixelsAPoint = 2;

export function sizeOf({ width, height }: Logo, place: Place): Place {
  const scale = Math.min(place.width / width, place.height / height, 1 / pixelsAPoint);
  return { width: width * scale, height: height * scale };
}

/** In the middle of the place's height. @returns how wide it is. */
export function putLogo(canvas: Canvas, logo: Logo, x: number, y: number, place: Place): number {
  const { width, height } = sizeOf(logo, place);
  canvas.picture(logo.bytes, x, y + (place.height - height) / 2, width, height);
  return width;
}
