import type { CaseFileKind, CaseItemKind } from '../../../api/index.ts';

/** Kinds of files of which nothing was signed when it happened (protocol R82). */
export type UnsignedKind = Extract<CaseFileKind & CaseItemKind, 'collection' | 'found'>;

export function isUnsigned(kind: CaseFileKind | CaseItemKind | null): kind is UnsignedKind {
  return kind === 'collection' || kind === 'found';
}
