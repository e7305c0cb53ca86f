import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Case } from '../../api/answers.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { q } from '../../api/query.ts';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { remainingText, sizeText } from '../../lib/size.ts';
import { count } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { CaseTitle } from './case-title.tsx';
import { DeleteCase } from './delete-case.tsx';
import { IMPORT_STATE } from './texts.ts';

/** A case that is not there yet: how far it is, or why there will be none. */
export function ImportState({ of }: { readonly of: Case }) {
  const isOver = of.state !== 'importing';
  return (
    <Screen name={of.name} title={<CaseTitle of={of} />} actions={isOver && <DeleteCase of={of} />}>
      {of.state === 'importing' ? (
        <Progress of={of} />
      ) : (
        <section className={of.state === 'cancelled' ? 'verdict' : 'verdict verdict-fail'} role="alert">
          <div>
            <h2>{endText(of)}</h2>
            <p>
              {of.failure === null ? IMPORT_STATE.nothingKept : sentenceOf(of.failure.message)}{' '}
              {of.failure !== null && <span className="code muted">{of.failure.code}</span>}
            </p>
            <p>
              <Link to="/cases/new">{IMPORT_STATE.chooseAnotherFile}</Link>
            </p>
          </div>
        </section>
      )}
    </Screen>
  );
}

function endText({ state, failure }: Case): string {
  if (state === 'cancelled') return IMPORT_STATE.cancelled;
  return failure?.code === 'FILE_CUT_OFF' ? IMPORT_STATE.notWhole : IMPORT_STATE.failed;
}

const PHASES = {
  waiting: IMPORT_STATE.waiting,
  verifying: IMPORT_STATE.verifying,
  indexing: IMPORT_STATE.indexing,
  coherence: IMPORT_STATE.checkingCoherence,
  finishing: IMPORT_STATE.storing,
} as const;

/** How far an import or a verification is, and a way to stop it. */
export function Progress({ of }: { readonly of: Case }) {
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => call('cancelCase', { params: { case_id: of.case_id }, body: {} }),
    onSuccess: (state) => client.setQueryData(q('getCase', { params: { case_id: of.case_id } }).queryKey, state),
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  const progress = of.progress;
  const said =
    progress === null
      ? []
      : [
          IMPORT_STATE.bytesOf(sizeText(progress.bytes), sizeText(progress.total_bytes)),
          IMPORT_STATE.record(progress.records),
          ...(progress.records_per_second > 0
            ? [IMPORT_STATE.perSecond(count(Math.round(progress.records_per_second)))]
            : []),
          ...(progress.remaining_seconds === null ? [] : [remainingText(progress.remaining_seconds)]),
        ];
  return (
    <section className="panel panel-body stack" aria-label={IMPORT_STATE.progress}>
      <div className="cluster">
        <h2 role="status">{progress === null ? IMPORT_STATE.beginning : PHASES[progress.phase]}</h2>
        <PermittedButton call="cancelCase" className="push" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          {IMPORT_STATE.cancel}
        </PermittedButton>
      </div>
      <progress
        aria-label={IMPORT_STATE.bytesRead}
        {...(progress === null || progress.total_bytes === 0
          ? {}
          : { max: progress.total_bytes, value: Math.min(progress.bytes, progress.total_bytes) })}
      />
      <p className="muted number">{said.join(' · ')}</p>
    </section>
  );
}
