import { useState } from 'react';
import type { RefusedSearch } from '../../app/search-params.ts';
import { toast } from '../../app/toasts.tsx';
import { Over } from '../../components/over.tsx';
import { count } from '../../components/time.tsx';
import { sentenceOf } from '../../service/call.ts';
import type { RowsFormat } from '../../service/rows-file.ts';
import { saveRefused } from './save-refused.ts';

/** The list as a file, all that the filters find. */
export function SaveList({ filter }: { readonly filter: RefusedSearch }) {
  const [progress, setProgress] = useState<number | null>(null);
  const save = async (format: RowsFormat): Promise<void> => {
    setProgress(0);
    try {
      const { rows, complete } = await saveRefused(filter, format, setProgress);
      toast(complete ? `${count(rows)} rows saved.` : `The newest ${count(rows)} rows saved. There are more.`);
    } catch (error) {
      toast(sentenceOf(error), 'failed');
    } finally {
      setProgress(null);
    }
  };
  return (
    <Over label={progress === null ? 'Save list' : `Saving… ${count(progress)}`}>
      <p className="muted">All rows that the filters find. The list is no evidence: nothing signs it.</p>
      <div className="cluster">
        <button type="button" disabled={progress !== null} onClick={() => void save('csv')}>
          CSV
        </button>
        <button type="button" disabled={progress !== null} onClick={() => void save('jsonl')}>
          JSON Lines
        </button>
      </div>
    </Over>
  );
}
