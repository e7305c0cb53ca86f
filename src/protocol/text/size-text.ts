const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

/** A number of bytes as people say it, such as `1.4 MiB`. @param bytesUnit what a single byte is called */
export function sizeText(bytes: number, bytesUnit = 'B'): string {
  let [value, power] = [bytes, 0];
  while (value >= 1024 && power < UNITS.length) [value, power] = [value / 1024, power + 1];
  const shown = power === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10;
  return `${shown} ${UNITS[power - 1] ?? bytesUnit}`;
}
