import type { Coverage } from '../../../../api/index.ts';
import { COVERAGE_NOTE } from './texts.ts';

interface CoverageNoteProps {
  readonly coverage: Coverage;
  readonly again: () => void;
}

/** Where a search did not mean all records, that and what to do about it. */
export function CoverageNote({ coverage: { pending, complete }, again }: CoverageNoteProps) {
  if (pending === 0 && complete) return null;
  return (
    <p className="coverage-note" role="status">
      {complete ? COVERAGE_NOTE.pending(pending) : COVERAGE_NOTE.stopped}
      <button type="button" className="button-small" onClick={again}>
        {COVERAGE_NOTE.searchAgain}
      </button>
    </p>
  );
}
