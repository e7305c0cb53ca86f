import type { Coverage } from '../../contract/index.ts';
import { plural } from '../lib/plural.ts';
import { Icon } from '../ui/icons.tsx';

/** What an answer leaves out, where it leaves something out. */
export function CoverageMark({ coverage: { pending, complete } }: { readonly coverage: Coverage }) {
  if (complete && pending === 0) return null;
  return (
    <span className="coverage-mark">
      <Icon name="wait" />
      {pending > 0 && `${plural(pending, 'newer record')} not read yet`}
      {pending > 0 && !complete && '; '}
      {!complete && 'the search ended early: not every record was looked at'}
    </span>
  );
}
