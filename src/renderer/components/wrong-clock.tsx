import { useQuery } from '@tanstack/react-query';
import { useLedger } from '../api/ledger/ledger.ts';
import { q } from '../api/query.ts';
import { Icon } from '../ui/icons.tsx';
import { timeText } from '../ui/time.tsx';
import { WRONG_CLOCK } from './texts.ts';

/** A correction is rare, and known to a page once it was made there. */
const FRESH_MS = 300_000;

interface WrongClockProps {
  readonly seqNo: number;
  /** Whether there is room for the words, which else are in the title. */
  readonly hasWords?: boolean;
}

/** Next to the time of a record of the live ledger: that it lies behind a jump for which the service's clock was set back; nothing for any other. */
export function WrongClock({ seqNo, hasWords = false }: WrongClockProps) {
  const isLive = useLedger().caseId === null;
  const { data } = useQuery({ ...q('getClock'), enabled: isLive, refetchInterval: false, staleTime: FRESH_MS });
  const found = data?.corrected.find(({ first_seq_no, last_seq_no }) => first_seq_no <= seqNo && seqNo <= last_seq_no);
  if (!isLive || found === undefined) return null;
  const text = WRONG_CLOCK.received(timeText(found.corrected_at));
  const icon = <Icon name="warning" />;
  if (hasWords) {
    return (
      <span className="coverage-mark">
        {icon}
        {text}
      </span>
    );
  }
  return (
    <span className="coverage-mark" role="img" aria-label={text} title={text}>
      {icon}
    </span>
  );
}
