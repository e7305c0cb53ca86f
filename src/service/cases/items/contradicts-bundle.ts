import type { CaseItem } from '../../../contract/index.ts';

/**
 * Whether an item is a statement of the issuer that cannot be true together with the file of the case: such a file is not verified,
 * however sound it is by itself.
 */
export function contradictsBundle({ code }: Pick<CaseItem, 'code'>): boolean {
  return code === 'CONTRADICTS_BUNDLE';
}
