import type { CaseFileKind } from '../../api/index.ts';

/** A file as it lies in a case's folder. */
export interface StoredFile {
  readonly path: string;
  readonly kind: CaseFileKind;
  readonly bytes: number;
  readonly maxPlainBytes: number;
}
