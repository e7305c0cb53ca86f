import { Link } from '@tanstack/react-router';
import { Seen } from '../../components/seen.tsx';
import type { Case } from '../../service/answers.ts';

/** Where a case is: the way back to all of them, and its name. */
export function CaseTitle({ of, part }: { readonly of: Pick<Case, 'name'>; readonly part?: string }) {
  return (
    <>
      <Link to="/cases" search={{}} className="crumb">
        Cases
      </Link>{' '}
      <span className="crumb">/</span> <Seen text={of.name} />
      {part !== undefined && (
        <>
          {' '}
          <span className="crumb">/</span> {part}
        </>
      )}
    </>
  );
}
