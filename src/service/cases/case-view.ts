import type { Case, CaseProgress } from '../../contract/index.ts';
import { formatTime } from '../../protocol/index.ts';
import type { CaseFile } from './case-file.ts';

/** A case as callers see it. */
export function caseView(about: CaseFile, progress: CaseProgress | null): Case {
  const { version: _, verified_with: __, org_id, created_at, verified_at, report, ...rest } = about;
  return {
    ...rest,
    scope: org_id === null ? 'workstation' : 'organization',
    created_at: formatTime(created_at),
    verifying: about.state === 'ready' && progress !== null,
    progress: about.state === 'importing' || about.state === 'ready' ? progress : null,
    verified_at: verified_at === null ? null : formatTime(verified_at),
    verdict: report?.verdict ?? null,
    report,
  };
}
