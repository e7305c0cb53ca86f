import { useId, useLayoutEffect, useRef, useState } from 'react';
import { CHOSEN_REPORT_TEXT } from '../../../protocol/index.ts';
import { type ChosenRecord, commented, moved } from '../../lib/report-draft.ts';
import { AreaField } from '../../ui/area-field.tsx';
import { Seen } from '../../ui/seen.tsx';
import { count } from '../../ui/time.tsx';
import { REPORT_DIALOG } from './texts.ts';

interface ChosenRecordsProps {
  readonly records: readonly ChosenRecord[];
  readonly onChange: (records: readonly ChosenRecord[]) => void;
}

/** The records in the order of the report: each can be moved, commented and taken out by keyboard. */
export function ChosenRecords({ records, onChange }: ChosenRecordsProps) {
  const id = useId();
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [said, setSaid] = useState('');
  // The browser takes the focus from an element that changes its place.
  const refocus = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (refocus.current === null) return;
    document.getElementById(refocus.current)?.focus();
    refocus.current = null;
  });
  const buttonId = (seqNo: number, what: string): string => `${id}-${seqNo}-${what}`;
  const move = (seqNo: number, by: -1 | 1): void => {
    const next = moved(records, seqNo, by);
    refocus.current = buttonId(seqNo, by < 0 ? 'up' : 'down');
    setSaid(REPORT_DIALOG.movedTo(seqNo, next.findIndex((one) => one.seqNo === seqNo) + 1, next.length));
    onChange(next);
  };
  const remove = (seqNo: number, index: number): void => {
    const neighbour = records[index + 1] ?? records[index - 1];
    if (neighbour !== undefined) refocus.current = buttonId(neighbour.seqNo, 'remove');
    setSaid(REPORT_DIALOG.removed(seqNo));
    onChange(records.filter((one) => one.seqNo !== seqNo));
  };
  return (
    <div className="chosen">
      <p className="chosen-title" id={id}>
        {REPORT_DIALOG.order}
      </p>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      <ol className="chosen-records" aria-labelledby={id}>
        {records.map(({ seqNo, text, comment }, index) => (
          <li key={seqNo}>
            <div className="chosen-record">
              <span className="ellipsis">
                <b>{REPORT_DIALOG.number(count(seqNo))}</b> <Seen text={text} />
              </span>
              <span className="cluster">
                <button
                  type="button"
                  id={buttonId(seqNo, 'up')}
                  className="button-small"
                  aria-disabled={index === 0}
                  aria-label={REPORT_DIALOG.moveUp(seqNo)}
                  onClick={() => move(seqNo, -1)}
                >
                  ↑
                </button>
                <button
                  type="button"
                  id={buttonId(seqNo, 'down')}
                  className="button-small"
                  aria-disabled={index === records.length - 1}
                  aria-label={REPORT_DIALOG.moveDown(seqNo)}
                  onClick={() => move(seqNo, 1)}
                >
                  ↓
                </button>
                <button
                  type="button"
                  className="button-small"
                  aria-label={REPORT_DIALOG.commentOn(seqNo)}
                  aria-expanded={open.has(seqNo)}
                  onClick={() =>
                    setOpen(
                      (before) =>
                        new Set([...before].filter((one) => one !== seqNo).concat(before.has(seqNo) ? [] : [seqNo])),
                    )
                  }
                >
                  {comment.trim() === '' ? REPORT_DIALOG.comment : REPORT_DIALOG.commentWritten}
                </button>
                <button
                  type="button"
                  id={buttonId(seqNo, 'remove')}
                  className="button-small"
                  aria-label={REPORT_DIALOG.leaveOutNumber(seqNo)}
                  onClick={() => remove(seqNo, index)}
                >
                  {REPORT_DIALOG.leaveOut}
                </button>
              </span>
            </div>
            {open.has(seqNo) && (
              <AreaField
                label={REPORT_DIALOG.commentOn(seqNo)}
                rows={2}
                maxLength={CHOSEN_REPORT_TEXT.comment}
                value={comment}
                onChange={(value) => onChange(commented(records, seqNo, value))}
              />
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
