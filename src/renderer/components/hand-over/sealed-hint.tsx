import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { useRefusal } from '../../api/permission.ts';
import { keyBelow, q } from '../../api/query.ts';
import type { ChosenRecord } from '../../lib/report-draft.ts';
import { count } from '../../ui/time.tsx';
import { rangeOf } from './sealed-case.ts';
import { HAND_OVER } from './texts.ts';

/** What else a sealed case holds than the records that somebody chose. */
export function SealedHint({ records }: { readonly records: readonly ChosenRecord[] }) {
  const ledger = useLedger();
  const client = useQueryClient();
  const refusal = useRefusal('previewExport');
  const { data } = useQuery({
    queryKey: keyBelow(q('previewExport'), 'sealed', records),
    enabled: ledger.caseId === null && refusal === null && records.length > 0,
    queryFn: async ({ signal }) => {
      const { startTime, endTime } = await rangeOf({ ledger, client }, records);
      return call('previewExport', { body: { startTime, endTime }, signal });
    },
  });
  if (ledger.caseId !== null) return <p>{HAND_OVER.sealedCase}</p>;
  if (data === undefined) return refusal === null && <p role="status">{HAND_OVER.countingBundle}</p>;
  const all = `${count(data.records)}${data.more_records ? '+' : ''}`;
  return <p>{HAND_OVER.sealedLive(count(records.length), all)}</p>;
}
