import type { HoldSelection } from '../../../api/index.ts';
import type { Hold } from '../../api/answers.ts';
import { fill } from '../../lib/fill.ts';
import { Seen } from '../../ui/seen.tsx';
import { Time } from '../../ui/time.tsx';
import { HOLD_WORDS } from './texts.ts';

export const KIND_NAMES: Readonly<Record<HoldSelection['kind'], string>> = {
  records: HOLD_WORDS.chosen,
  person: HOLD_WORDS.person,
  session: HOLD_WORDS.session,
  agent: HOLD_WORDS.agent,
  range: HOLD_WORDS.range,
  case: HOLD_WORDS.case,
};

/** A range in words: `records 10 to 20, of agent billing.bot`. */
function RangeCovers({ range }: { readonly range: Extract<HoldSelection, { readonly kind: 'range' }> }) {
  const { agent_id: agent, from_seq_no: from, to_seq_no: to, from_time: since, to_time: until } = range;
  const numbers =
    from === undefined && to === undefined
      ? HOLD_WORDS.allRecords
      : to === undefined
        ? HOLD_WORDS.fromRecord(from ?? 1)
        : HOLD_WORDS.recordRange(from ?? 1, to);
  return (
    <>
      {numbers}
      {since !== undefined && [', ', ...fill(HOLD_WORDS.since, { time: <Time value={since} hasZone /> })]}
      {until !== undefined && [', ', ...fill(HOLD_WORDS.before, { time: <Time value={until} hasZone /> })]}
      {agent !== undefined && [', ', ...fill(HOLD_WORDS.ofAgent, { agent: <Seen text={agent} /> })]}
    </>
  );
}

/** Characters of runs that are shown: there may be thousands of them. */
const MOST_SHOWN = 60;

/** As many runs as there is room for, with commas that lines break at. */
function firstOf(runs: string): string {
  if (runs.length <= MOST_SHOWN) return runs.replaceAll(',', ', ');
  return `${runs.slice(0, runs.lastIndexOf(',', MOST_SHOWN)).replaceAll(',', ', ')}, …`;
}

/** What a hold covers, in a few words. */
export function HoldCovers({ hold: { selection } }: { readonly hold: Hold }) {
  switch (selection.kind) {
    case 'person':
      return <Seen text={selection.person} />;
    case 'session':
      return <Seen text={selection.session} />;
    case 'agent':
      return <Seen text={selection.agent_id} />;
    case 'case':
      return <Seen text={selection.case_id} />;
    case 'records':
      return HOLD_WORDS.numbers(firstOf(selection.runs));
    case 'range':
      return <RangeCovers range={selection} />;
  }
}
