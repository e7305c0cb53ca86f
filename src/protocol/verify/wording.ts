/** A count with its noun, in the singular or plural: "1 record", "2 records". */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
