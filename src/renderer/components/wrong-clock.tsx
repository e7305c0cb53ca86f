import { useQuery } from '@tanstack/react-query';
import { type Count, clockCorrectedAt, describeWrongClock } from '../../protocol/index.ts';
import { useLedger } from '../api/ledger/ledger.ts';
import { useTimeZone } from '../lib/time-zone.ts';
import { Icon } from '../ui/icons.tsx';
import { timeWords } from '../ui/time.tsx';
import { WRONG_CLOCK } from './texts.ts';

/** A correction is rare, and known to a page once it was made there. */
const FRESH_MS = 300_000;

interface WrongClockProps {
  /** Of the receipt whose time it is, or of the epoch. */
  readonly number: number;
  readonly of?: Exclude<Count, 'events'>;
  /** Whether there is room for the words, which else are in the title. */
  readonly hasWords?: boolean;
}

/**
 * Next to a time that the service signed: that it lies behind a jump for which the service's clock was set back (protocol V147);
 * nothing for any other. Of a case the log in its bundle says so, of the live ledger its own.
 */
export function WrongClock({ number, of = 'seq_no', hasWords = false }: WrongClockProps) {
  const { q } = useLedger();
  const zone = useTimeZone();
  const { data } = useQuery({ ...q('ledgerSummary'), refetchInterval: false, staleTime: FRESH_MS });
  const correctedAt = clockCorrectedAt(data?.corrected_times ?? null, of, number);
  if (correctedAt === null) return null;
  const text = describeWrongClock(WRONG_CLOCK[of], timeWords(correctedAt, zone));
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
