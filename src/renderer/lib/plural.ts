import { LOCALE, numberText } from './locale.ts';

const rules = new Intl.PluralRules(LOCALE);

/** A number with its noun: 1 operation, 2 operations, 1,167 operations. @param many where it is not the noun with an s */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${nounFor(count, one, many)}`;
}

/** The form of a noun that goes with a number. */
export function nounFor(count: number, one: string, many = `${one}s`): string {
  return rules.select(count) === 'one' ? one : many;
}
