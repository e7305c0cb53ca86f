import { type ReactNode, useCallback, useState } from 'react';
import { sentenceOf } from '../../../api/call.ts';
import type { LedgerRow } from '../../../api/ledger/ledger.ts';
import { AnnotateDialog } from '../../../components/annotations/annotate-dialog.tsx';
import { useAnnotateMany, useAnnotateRefusal } from '../../../components/annotations/use-annotation.ts';
import { toast } from '../../../ui/toasts.tsx';
import { recordsIn } from './action-rows.ts';
import { ROW_ANNOTATION } from './texts.ts';

/** Tags, notes and bookmarks for rows of a search: a key, or a button, for one row or for all that are picked. */
export function useRowAnnotation(): {
  readonly annotate: (rows: readonly LedgerRow[]) => void;
  readonly bookmark: (rows: readonly LedgerRow[]) => void;
  readonly dialog: ReactNode;
} {
  const refusal = useAnnotateRefusal();
  const [rows, setRows] = useState<readonly LedgerRow[] | null>(null);
  const { mutate } = useAnnotateMany();
  const annotate = useCallback(
    (given: readonly LedgerRow[]) => (refusal === null ? setRows(given) : toast(refusal, 'failed')),
    [refusal],
  );
  const bookmark = useCallback(
    (given: readonly LedgerRow[]) => {
      if (refusal !== null) return toast(refusal, 'failed');
      // Of a single row that has one, the key takes it away again.
      const bookmarked = given.length !== 1 || given[0]?.bookmarked !== true;
      mutate(
        // A bookmark of an action may be on any of its records.
        {
          ids: given.flatMap((row) => (bookmarked ? [row] : recordsIn(row)).map(({ operation_id }) => operation_id)),
          change: { bookmarked },
        },
        {
          onSuccess: () =>
            toast(bookmarked ? ROW_ANNOTATION.bookmarked(given.length) : ROW_ANNOTATION.withoutBookmark(given.length)),
          onError: (error) => toast(sentenceOf(error), 'failed'),
        },
      );
    },
    [refusal, mutate],
  );
  const dialog = rows === null ? null : <AnnotateDialog rows={rows} onClose={() => setRows(null)} />;
  return { annotate, bookmark, dialog };
}
