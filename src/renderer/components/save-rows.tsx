import { type ReactNode, useState } from 'react';
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
  /** Saves them. @param onProgress told how many rows there are so far @returns what to say then */
  readonly save: (format: RowsFormat, onProgress: (rows: number) => void) => Promise<string>;
}

/** All rows that a list's filters find as a file of either format. */
export function SaveRows({ label, children, save }: SaveRowsProps) {
  const [progress, setProgress] = useState<number | null>(null);
  const start = async (format: RowsFormat): Promise<void> => {
    setProgress(0);
    try {
      toast(await save(format, setProgress));
    } catch (error) {
      toast(sentenceOf(error), 'failed');
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
      </div>
    </PopoverMenu>
  );
}
