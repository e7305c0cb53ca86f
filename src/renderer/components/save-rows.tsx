import { type ReactNode, useRef, useState } from 'react';
import { sentenceOf } from '../api/call.ts';
import type { RowsFormat } from '../api/rows-file.ts';
import { PopoverMenu } from '../ui/popover-menu.tsx';
import { count } from '../ui/time.tsx';
import { toast } from '../ui/toasts.tsx';
import { SAVE_ROWS } from './texts.ts';

interface SaveRowsProps {
  readonly label: string;
  /** What the file holds, and what it is worth. */
  readonly children: ReactNode;
  /** Saves them. @param onProgress told how many rows there are so far; throws once nobody wants them any more @returns what to say then */
  readonly save: (format: RowsFormat, onProgress: (rows: number) => void) => Promise<string>;
}

/** All rows that a list's filters find as a file of either format. */
export function SaveRows({ label, children, save }: SaveRowsProps) {
  const [progress, setProgress] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  const start = async (format: RowsFormat): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    setProgress(0);
    try {
      const saved = await save(format, (rows) => {
        controller.signal.throwIfAborted();
        setProgress(rows);
      });
      toast(saved);
    } catch (error) {
      if (!controller.signal.aborted) toast(sentenceOf(error), 'failed');
    } finally {
      setProgress(null);
    }
  };
  return (
    <PopoverMenu label={progress === null ? label : SAVE_ROWS.saving(count(progress))}>
      <p className="muted">{children}</p>
      <div className="cluster">
        <button type="button" disabled={progress !== null} onClick={() => void start('csv')}>
          {SAVE_ROWS.csv}
        </button>
        <button type="button" disabled={progress !== null} onClick={() => void start('jsonl')}>
          {SAVE_ROWS.jsonLines}
        </button>
        {progress !== null && (
          <button type="button" onClick={() => running.current?.abort()}>
            {SAVE_ROWS.cancel}
          </button>
        )}
      </div>
    </PopoverMenu>
  );
}
