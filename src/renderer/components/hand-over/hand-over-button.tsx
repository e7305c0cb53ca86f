import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState } from 'react';
import { sentenceOf } from '../../api/call.ts';
import { type AskedSums, type ChosenRecord, chosenFrom } from '../../lib/report-draft.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { count } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { type Gathering, type HandedRecord, MAX_HANDED } from './gather.ts';
import { HAND_OVER } from './texts.ts';

/** What signs a report is large, and a search is shown without it. */
const HandOverDialog = lazyRouteComponent(() => import('./hand-over-dialog.tsx'), 'HandOverDialog');

interface HandOverButtonProps {
  /** The records; asked for once somebody wants to hand them over. */
  readonly records: (means: Gathering) => readonly HandedRecord[] | Promise<readonly HandedRecord[]>;
  /** What a report of them is called until somebody calls it otherwise. */
  readonly title: string;
  readonly className?: string;
  readonly label?: string;
  /** How a report groups and adds them up. */
  readonly sums?: AskedSums;
}

/** Leads to everything by which records of this ledger can be given to somebody. */
export function HandOverButton({ records, title, className, sums, label = HAND_OVER.open }: HandOverButtonProps) {
  const [chosen, setChosen] = useState<readonly ChosenRecord[] | null>(null);
  const [gathered, setGathered] = useState<number | null>(null);
  const gathering = useRef<AbortController | null>(null);
  // So that nobody waits for it who hands something over.
  useEffect(() => {
    void HandOverDialog.preload?.();
    return () => gathering.current?.abort();
  }, []);
  const open = async (): Promise<void> => {
    const controller = new AbortController();
    gathering.current = controller;
    const { signal } = controller;
    try {
      const asked = records({ signal, onProgress: setGathered });
      if (asked instanceof Promise) setGathered(0);
      const found = await asked;
      if (found.length > MAX_HANDED) throw new Error(HAND_OVER.tooMany(count(MAX_HANDED)));
      if (!signal.aborted) setChosen(chosenFrom(found));
    } catch (error) {
      if (!signal.aborted) toast(sentenceOf(error), 'failed');
    } finally {
      setGathered(null);
    }
  };
  const cancel = (): void => gathering.current?.abort();
  return (
    <>
      <button type="button" className={className} disabled={gathered !== null} onClick={() => void open()}>
        {label}
      </button>
      {gathered !== null && (
        <Dialog open onClose={cancel} title={HAND_OVER.gathering}>
          <p role="status">{HAND_OVER.gathered(count(gathered))}</p>
          <div className="cluster form-end">
            <button type="button" onClick={cancel}>
              {HAND_OVER.cancel}
            </button>
          </div>
        </Dialog>
      )}
      {chosen !== null && (
        <Suspense fallback={null}>
          <HandOverDialog given={chosen} title={title} sums={sums} onClose={() => setChosen(null)} />
        </Suspense>
      )}
    </>
  );
}
