import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { keyBelow, q } from '../../api/query.ts';
import { count } from '../../ui/time.tsx';
import { PLACE_HOLD } from './texts.ts';

interface Counted {
  readonly records: number;
  readonly examined: number;
  readonly last: number;
}

interface HeldCountProps {
  /** What is sent as the selection of a hold; null while there is none. */
  readonly selection: object | null;
}

/** How many records a hold covers, or would, counted a stretch of the ledger at a time while it is shown. */
export function HeldCount({ selection }: HeldCountProps) {
  const [soFar, setSoFar] = useState<Counted | null>(null);
  const { data, isFetching } = useQuery({
    queryKey: keyBelow(q('countHeld'), selection),
    enabled: selection !== null,
    queryFn: async ({ signal }) => {
      let counted: Counted = { records: 0, examined: 0, last: 1 };
      while (counted.examined < counted.last) {
        const next = await call('countHeld', { body: { selection, after: counted.examined }, signal });
        counted = { ...next, records: counted.records + next.records };
        setSoFar(counted);
      }
      return counted;
    },
  });
  if (data !== undefined) return PLACE_HOLD.now(PLACE_HOLD.someRecords(data.records));
  if (!isFetching || soFar === null) return null;
  return PLACE_HOLD.counting(PLACE_HOLD.someRecords(soFar.records), count(soFar.examined), count(soFar.last));
}
