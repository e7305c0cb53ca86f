/** The language of the page's texts, and of the rules by which it writes numbers, plurals and lengths of time. */
export const LOCALE: string = 'en';

const numbers = new Intl.NumberFormat(LOCALE);

/** A number as people read it: 1,167. */
export function numberText(value: number): string {
  return numbers.format(value);
}
