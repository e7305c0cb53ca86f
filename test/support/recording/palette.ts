/** Few colours for pictures of many: those that occur most, apart from each other, and the nearest of them for all others. */

/** Of squared differences in red, green and blue: closer to a chosen colour, another one is not chosen. */
const APART = 60;

export class Palette {
  readonly colours: readonly number[];
  readonly #nearest = new Map<number, number>();

  /** @param counts how often each colour, as 0xRRGGBB, occurs */
  constructor(counts: ReadonlyMap<number, number>, size: number) {
    const chosen: number[] = [];
    const left: number[] = [];
    for (const [colour] of [...counts].sort(([, one], [, other]) => other - one)) {
      if (chosen.length === size) break;
      (chosen.every((other) => distance(colour, other) > APART) ? chosen : left).push(colour);
    }
    this.colours = [...chosen, ...left.slice(0, size - chosen.length)];
    for (const [index, colour] of this.colours.entries()) this.#nearest.set(colour, index);
  }

  indexOf(colour: number): number {
    const known = this.#nearest.get(colour);
    if (known !== undefined) return known;
    let [nearest, best] = [0, Number.POSITIVE_INFINITY];
    for (const [index, one] of this.colours.entries()) {
      const away = distance(colour, one);
      if (away < best) [nearest, best] = [index, away];
    }
    this.#nearest.set(colour, nearest);
    return nearest;
  }
}

function distance(one: number, other: number): number {
  const red = (one >> 16) - (other >> 16);
  const green = ((one >> 8) & 0xff) - ((other >> 8) & 0xff);
  const blue = (one & 0xff) - (other & 0xff);
  return red * red + green * green + blue * blue;
}
