import type { Coverage } from '../../../../contract/index.ts';
import { plural } from '../../../lib/plural.ts';

interface CoverageNoteProps {
  readonly coverage: Coverage;
  readonly again: () => void;
}

/** Where a search did not mean all records, that and what to do about it. */
export function CoverageNote({ coverage: { pending, complete }, again }: CoverageNoteProps) {
  if (pending === 0 && complete) return null;
  return (
    <p className="coverage-note" role="status">
      {complete
        ? `${plural(pending, 'newer record')} ${pending === 1 ? 'is' : 'are'} not searchable yet.`
        : 'The search stopped at its time limit, so some matching records may be missing. Narrow the time or add a filter, then search again.'}
      <button type="button" className="button-small" onClick={again}>
        Search again
      </button>
    </p>
  );
}
