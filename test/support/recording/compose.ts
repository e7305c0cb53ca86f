/** Pictures made of pictures. */
import type { Picture } from './png.ts';

/** One picture above another one of the same width. */
export function above(top: Picture, bottom: Picture): Picture {
  const pixels = new Uint32Array(top.pixels.length + bottom.pixels.length);
  pixels.set(top.pixels);
  pixels.set(bottom.pixels, top.pixels.length);
  return { width: bottom.width, height: top.height + bottom.height, pixels, alpha: null };
}

/** A picture with a smaller, partly transparent one on it; what lies outside is cut off. */
export function onto(under: Picture, over: Picture, at: { readonly x: number; readonly y: number }): Picture {
  const pixels = under.pixels.slice();
  const [left, top] = [Math.round(at.x), Math.round(at.y)];
  for (let n = 0; n < over.pixels.length; n++) {
    const [x, y] = [left + (n % over.width), top + Math.floor(n / over.width)];
    if (x < 0 || y < 0 || x >= under.width || y >= under.height) continue;
    const place = y * under.width + x;
    pixels[place] = mixed(pixels[place] ?? 0, over.pixels[n] ?? 0, (over.alpha?.[n] ?? 255) / 255);
  }
  return { ...under, pixels };
}

function mixed(under: number, over: number, part: number): number {
  const channel = (shift: number): number =>
    Math.round(((under >> shift) & 0xff) * (1 - part) + ((over >> shift) & 0xff) * part) << shift;
  return channel(16) | channel(8) | channel(0);
}
