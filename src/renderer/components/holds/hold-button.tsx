import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { RunBuilder, runsText } from '../../../protocol/index.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { PermittedButton } from '../permitted.tsx';
import { PLACE_HOLD } from './texts.ts';

/** A search is shown without the form. */
const PlaceHold = lazyRouteComponent(() => import('./place-hold.tsx'), 'PlaceHold');

interface HoldButtonProps {
  /** Records that somebody chose, or a session. */
  readonly of: readonly { readonly seqNo: number }[] | { readonly session: string };
  readonly className?: string;
}

/** The runs of records in any order, some of which may be there twice. */
function runsOf(records: readonly { readonly seqNo: number }[]): string {
  const builder = new RunBuilder();
  for (const seqNo of new Set(records.map((record) => record.seqNo).toSorted((a, b) => a - b))) builder.add(seqNo);
  return runsText(builder.runs);
}

/** Leads to a legal hold. Of the live ledger alone: nothing is erased from a case. */
export function HoldButton({ of, className }: HoldButtonProps) {
  const { caseId } = useLedger();
  const [isOpen, setOpen] = useState(false);
  if (caseId !== null) return null;
  const given =
    'session' in of
      ? ({ kind: 'session', name: of.session } as const)
      : ({ kind: 'records', name: isOpen ? runsOf(of) : '' } as const);
  return (
    <>
      <PermittedButton call="placeHold" className={className} onClick={() => setOpen(true)}>
        {PLACE_HOLD.ask}
      </PermittedButton>
      {isOpen && (
        <Suspense fallback={null}>
          <PlaceHold open given={given} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
