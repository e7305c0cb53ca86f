import { join } from 'node:path';
import { type CaseFile, ownerOf } from './case-file.ts';
import { NAMES, receiptsName } from './case-folder.ts';
import type { CaseStore } from './case-store.ts';
import type { StoredReceipts } from './job-messages.ts';
import { plainLimit } from './plain-limit.ts';
import type { StoredFile } from './stored-file.ts';
import type { TrustKeeper } from './trust/trust-keeper.ts';

export interface CaseFilesContext {
  readonly store: CaseStore;
  readonly trust: TrustKeeper;
  /** Of an upload, in bytes. */
  readonly maxBytes: number;
}

/** What the jobs of the case room read of a case. */
export class CaseFiles {
  readonly #context: CaseFilesContext;

  constructor(context: CaseFilesContext) {
    this.#context = context;
  }

  /** Whom a verification of this case trusts: the trust store unless a guest's, and what was named for the case alone. */
  async trustedKids(about: CaseFile): Promise<string[]> {
    return [...new Set([...about.trusted_kids, ...(await this.#context.trust.entries(ownerOf(about)))])];
  }

  storedReceipts({ case_id, receipts }: CaseFile): StoredReceipts[] {
    const folder = this.#context.store.folderOf(case_id);
    return receipts.map(({ name }, index) => ({ name, path: join(folder, receiptsName(index)) }));
  }

  storedFile({ case_id, kind, bytes }: CaseFile): StoredFile {
    const { store, maxBytes } = this.#context;
    const path = join(store.folderOf(case_id), NAMES.original);
    return { path, kind, bytes, maxPlainBytes: plainLimit({ kind, bytes }, maxBytes) };
  }
}
