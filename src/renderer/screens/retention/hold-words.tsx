import type { HoldSelection } from '../../../contract/index.ts';
import type { Hold } from '../../api/retention-queries.ts';
import { plural } from '../../lib/plural.ts';
import { Seen } from '../../ui/seen.tsx';

export const KIND_NAMES: Readonly<Record<HoldSelection['kind'], string>> = {
  person: 'Person',
  session: 'Session',
  agent: 'Agent',
  range: 'Range',
  case: 'Case',
};

/** A range in words: `records 10 to 20 of agent billing.bot`. */
function rangeText(range: Extract<HoldSelection, { readonly kind: 'range' }>): string {
  const { agent_id: agent, from_seq_no: from, to_seq_no: to, from_time: since, to_time: until } = range;
  const numbers =
    from === undefined && to === undefined
      ? 'all records'
      : to === undefined
        ? `records from ${from} on`
        : `records ${from ?? 1} to ${to}`;
  return [
    numbers,
    ...(since === undefined ? [] : [`received from ${since}`]),
    ...(until === undefined ? [] : [`received before ${until}`]),
    ...(agent === undefined ? [] : [`of agent ${agent}`]),
  ].join(', ');
}

/** What a hold covers, in a few words. */
export function HoldCovers({ hold: { selection, records } }: { readonly hold: Hold }) {
  switch (selection.kind) {
    case 'person':
      return <Seen text={selection.person} />;
    case 'session':
      return <Seen text={selection.session} />;
    case 'agent':
      return <Seen text={selection.agent_id} />;
    case 'case':
      return (
        <>
          <Seen text={selection.case_id} /> ({plural(records ?? 0, 'record')})
        </>
      );
    case 'range':
      return <Seen text={rangeText(selection)} />;
  }
}
