import { useState } from 'react';
import { RunBuilder, runsText } from '../../../protocol/index.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { PermittedButton } from '../permitted.tsx';
import { PlaceHold } from './place-hold.tsx';
import { PLACE_HOLD } from './texts.ts';

interface HoldButtonProps {
  readonly records: readonly { readonly seqNo: number }[];
  readonly className?: string;
}

/** Leads to a legal hold on records that somebody chose. Of the live ledger alone: nothing is erased from a case. */
export function HoldButton({ records, className }: HoldButtonProps) {
  const { caseId } = useLedger();
  const [runs, setRuns] = useState<string | null>(null);
  if (caseId !== null) return null;
  const open = (): void => {
    const builder = new RunBuilder();
    for (const seqNo of new Set(records.map((record) => record.seqNo).toSorted((a, b) => a - b))) builder.add(seqNo);
    setRuns(runsText(builder.runs));
  };
  return (
    <>
      <PermittedButton call="placeHold" className={className} onClick={open}>
        {PLACE_HOLD.ask}
      </PermittedButton>
      {runs !== null && <PlaceHold open given={{ kind: 'records', name: runs }} onClose={() => setRuns(null)} />}
    </>
  );
}
