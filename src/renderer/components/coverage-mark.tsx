import type { Coverage } from '../../api/index.ts';
import { Icon } from '../ui/icons.tsx';
import { COVERAGE_MARK } from './texts.ts';

/** What an answer leaves out, where it leaves something out. */
export function CoverageMark({ coverage: { pending, complete } }: { readonly coverage: Coverage }) {
  if (complete && pending === 0) return null;
  return (
    <span className="coverage-mark">
      <Icon name="wait" />
      {pending > 0 && COVERAGE_MARK.newerNotRead(pending)}
      {pending > 0 && !complete && '; '}
      {!complete && COVERAGE_MARK.searchEnded}
    </span>
  );
}
