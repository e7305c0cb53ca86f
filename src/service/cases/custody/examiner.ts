import type { Caller } from '../../http/caller.ts';
import { eq } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { users } from '../../store/schema.ts';
import type { CaseFile } from '../case-file.ts';
import type { Examiner } from './custody-log.ts';

/** Tells who does something with a case, and when. */
export type Examiners = (caller: Caller | null, about: Pick<CaseFile, 'sha256' | 'case_id'>) => Examiner;

export function examiners({ db }: Store, now: () => number): Examiners {
  return (caller, { sha256, case_id: caseId }) => {
    const byId = (userId: string): string | null =>
      db.select({ email: users.email }).from(users).where(eq(users.userId, userId)).get()?.email ?? null;
    const via = caller?.by === 'token' ? ({ via: 'token' } as const) : {};
    return { by: caller === null ? null : byId(caller.userId), ...via, at: now(), caseSha256: sha256, caseId };
  };
}
