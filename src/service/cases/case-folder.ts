/** The names within the folder of a case. */
export const NAMES = {
  about: 'case.json',
  original: 'original',
  index: 'case.sqlite',
  report: 'report.json',
  coherence: 'coherence.json',
  /** Tags and notes: nothing but their own calls touches it. */
  annotations: 'annotations.sqlite',
} as const;

/** The folder of a case with its further items, each under a name of ours. One that is not yet in the tables ends in `.new`. */
export const ITEMS_FOLDER = 'items';

/** The folder of a case in which its index is made, at first and again. */
export const NEXT_FOLDER = 'index.new';

export function receiptsName(index: number): string {
  return `receipts-${index + 1}`;
}
