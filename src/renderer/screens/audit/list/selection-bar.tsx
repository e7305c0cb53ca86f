import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { printQuery } from '../../../../actions/index.ts';
import { sentenceOf } from '../../../api/call.ts';
import { type LedgerRow, useLedger } from '../../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../../api/ledger/places.tsx';
import { ANNOTATION_TEXTS as TEXTS } from '../../../components/annotations/texts.ts';
import { useAnnotateRefusal } from '../../../components/annotations/use-annotation.ts';
import { linesOf } from '../../../components/hand-over/gather.ts';
import { HandOverButton } from '../../../components/hand-over/hand-over-button.tsx';
import { HoldButton } from '../../../components/holds/hold-button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { withoutFilters } from '../search-filter.ts';
import { recordsIn } from './action-rows.ts';
import { MAX_QUERIED, onlyThese } from './picked-query.ts';
import { MAX_PICKED, type Picked } from './selection.ts';
import { SELECTION_BAR } from './texts.ts';

const route = ledgerScreen('/search');

/** What a row is, on one line. */
function textOf({ details, action, subject }: LedgerRow): string {
  return details?.summary ?? `${action} ${subject}`;
}

interface SelectionBarProps {
  readonly picked: Picked;
  readonly clear: () => void;
  readonly annotate: (rows: readonly LedgerRow[]) => void;
  readonly bookmark: (rows: readonly LedgerRow[]) => void;
}

/** How many rows are picked, and what can be done with them together. */
export function SelectionBar({ picked, clear, annotate, bookmark }: SelectionBarProps) {
  const refusal = useAnnotateRefusal();
  const ledger = useLedger();
  const client = useQueryClient();
  const navigate = route.useNavigate();
  const [isBusy, setBusy] = useState(false);
  const rows = [...picked.values()].toSorted((a, b) => a.seq_no - b.seq_no);
  const records = rows.flatMap((row) =>
    recordsIn(row).map(({ seq_no: seqNo, operation_id: operationId }) => ({ seqNo, operationId, text: textOf(row) })),
  );
  const isOfActions = rows.some(({ actionRow }) => actionRow !== undefined);
  const [left, right] = rows;
  const copy = async (): Promise<void> => {
    setBusy(true);
    try {
      const means = { signal: new AbortController().signal, onProgress: () => undefined };
      await navigator.clipboard.writeText(await linesOf({ ledger, client }, records, means));
      toast(SELECTION_BAR.copied(records.length));
    } catch (error) {
      toast(sentenceOf(error), 'failed');
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="selection-bar has-corner-close" aria-label={SELECTION_BAR.selectedRecords}>
      <strong role="status">
        {isOfActions
          ? SELECTION_BAR.selectedActions(rows.length, records.length)
          : rows.length === MAX_PICKED
            ? SELECTION_BAR.mostSelected(rows.length)
            : SELECTION_BAR.selected(rows.length)}
      </strong>
      <HandOverButton className="button-small" title={SELECTION_BAR.report} records={() => records} />
      <HoldButton className="button-small" of={records} />
      <button type="button" className="button-small" disabled={isBusy} onClick={() => void copy()}>
        {SELECTION_BAR.copy}
      </button>
      {refusal === null && (
        <>
          <button type="button" className="button-small" onClick={() => bookmark(rows)}>
            {TEXTS.bookmark}
          </button>
          <button type="button" className="button-small" onClick={() => annotate(rows)}>
            {TEXTS.annotate}
          </button>
        </>
      )}
      <button
        type="button"
        className="button-small"
        disabled={rows.length > MAX_QUERIED}
        title={rows.length > MAX_QUERIED ? SELECTION_BAR.tooMany(MAX_QUERIED) : undefined}
        onClick={() =>
          void navigate({ search: (before) => ({ ...withoutFilters(before), query: printQuery(onlyThese(rows)) }) })
        }
      >
        {SELECTION_BAR.onlyThese}
      </button>
      {left !== undefined && right !== undefined && rows.length === 2 && (
        <LedgerLink
          to="/difference"
          search={{ left: left.operation_id, right: right.operation_id }}
          className="button button-small"
        >
          {SELECTION_BAR.compare}
        </LedgerLink>
      )}
      <button
        type="button"
        className="corner-close button-small button-plain"
        aria-label={SELECTION_BAR.clearSelection}
        title={SELECTION_BAR.clearSelection}
        onClick={clear}
      >
        <Icon name="cross" />
      </button>
    </section>
  );
}
