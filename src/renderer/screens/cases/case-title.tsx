import { Link } from '@tanstack/react-router';
import type { Case } from '../../api/answers.ts';
import { Seen } from '../../ui/seen.tsx';
import { CASE_TITLE } from './texts.ts';

/** Where a case is: the way back to all of them, and its name. */
export function CaseTitle({ of, part }: { readonly of: Pick<Case, 'case_id' | 'name'>; readonly part?: string }) {
  return (
    <>
      <Link to="/cases" search={{}} className="crumb">
        {CASE_TITLE.cases}
      </Link>{' '}
      <span className="crumb">/</span>{' '}
      {part === undefined ? (
        <Seen text={of.name} />
      ) : (
        <>
          <Link to="/cases/$caseId" params={{ caseId: of.case_id }} className="crumb">
            <Seen text={of.name} />
          </Link>{' '}
          <span className="crumb">/</span> {part}
        </>
      )}
    </>
  );
}
