import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { useLedger } from '../../api/ledger/ledger.ts';
import { type ChosenRecord, chosenFrom } from '../../lib/report-draft.ts';
import { PermittedButton } from '../permitted.tsx';
import { REPORT_BUTTON } from './texts.ts';

/** What signs a report is large, and a search is shown without it. */
const ReportDialog = lazyRouteComponent(() => import('./report-dialog.tsx'), 'ReportDialog');

interface ReportButtonProps {
  /** The records to begin with; asked for once somebody wants a report. */
  readonly records: () => readonly Omit<ChosenRecord, 'comment'>[];
  readonly title: string;
  readonly className?: string;
  /** What is in the way, in a sentence. */
  readonly reason?: string | null;
}

/** Leads to a report of records of this ledger that somebody chose. */
export function ReportButton({ records, title, className, reason = null }: ReportButtonProps) {
  const { routeOf } = useLedger();
  const [chosen, setChosen] = useState<readonly ChosenRecord[] | null>(null);
  // So that nobody waits for it who asks for a report.
  useEffect(() => void ReportDialog.preload?.(), []);
  return (
    <>
      <PermittedButton
        call={routeOf('reportOfRecords')}
        className={className}
        reason={reason}
        onClick={() => setChosen(chosenFrom(records()))}
      >
        {REPORT_BUTTON.report}
      </PermittedButton>
      {chosen !== null && (
        <Suspense fallback={null}>
          <ReportDialog given={chosen} title={title} onClose={() => setChosen(null)} />
        </Suspense>
      )}
    </>
  );
}
