/** Dark modules as src/reports/pdf draws them: runs in a row. */
interface Modules {
  readonly size: number;
  readonly dark: readonly (readonly [x: number, y: number, width: number])[];
}

/** The light border that a camera needs around the code (ISO/IEC 18004), in modules. */
const QUIET = 4;

/** Upper and lower module of a character, light ones drawn: terminals are dark as a rule, and the code must not be. */
const HALVES: readonly string[] = ['█', '▀', '▄', ' '];

/** A QR code for a terminal, two rows of modules in each line. */
export function qrLines({ size, dark }: Modules): string[] {
  const side = size + 2 * QUIET;
  const isDark = new Set(
    dark.flatMap(([x, y, width]) =>
      Array.from({ length: width }, (_, offset) => (y + QUIET) * side + x + offset + QUIET),
    ),
  );
  return Array.from({ length: Math.ceil(side / 2) }, (_, line) =>
    Array.from({ length: side }, (_, x) => {
      const upper = isDark.has(2 * line * side + x);
      const lower = 2 * line + 1 < side && isDark.has((2 * line + 1) * side + x);
      return HALVES[(upper ? 2 : 0) + (lower ? 1 : 0)] ?? ' ';
    }).join(''),
  );
}
