import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Case } from '../../api/answers.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { caseQuery } from '../../api/case-queries.ts';
import { Screen } from '../../components/screen.tsx';
import { plural } from '../../lib/plural.ts';
import { remainingText, sizeText } from '../../lib/size.ts';
import { count } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { CaseTitle } from './case-title.tsx';
import { DeleteCase } from './delete-case.tsx';

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
              {of.failure === null ? 'Nothing of it was kept but this note.' : sentenceOf(of.failure.message)}{' '}
              {of.failure !== null && <span className="code muted">{of.failure.code}</span>}
            </p>
            <p>
              <Link to="/cases/new">Choose another file</Link>
            </p>
          </div>
        </section>
      )}
    </Screen>
  );
}

function endText({ state, failure }: Case): string {
  if (state === 'cancelled') return 'The import was cancelled';
  return failure?.code === 'FILE_CUT_OFF' ? 'The file is not whole' : 'The file could not be imported';
}

const PHASES = {
  waiting: 'Waiting for another import',
  verifying: 'Verifying every record',
  indexing: 'Laying the records out for search',
  coherence: 'Checking whether actions fit together',
  finishing: 'Making it durable',
} as const;

/** How far an import or a verification is, and a way to stop it. */
export function Progress({ of }: { readonly of: Case }) {
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => call('cancelCase', { params: { case_id: of.case_id }, body: {} }),
    onSuccess: (state) => client.setQueryData(caseQuery(of.case_id).queryKey, state),
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  const progress = of.progress;
  const said =
    progress === null
      ? []
      : [
          `${sizeText(progress.bytes)} of ${sizeText(progress.total_bytes)}`,
          plural(progress.records, 'record'),
          ...(progress.records_per_second > 0 ? [`${count(Math.round(progress.records_per_second))} a second`] : []),
          ...(progress.remaining_seconds === null ? [] : [remainingText(progress.remaining_seconds)]),
        ];
  return (
    <section className="panel panel-body stack" aria-label="Progress">
      <div className="cluster">
        <h2 role="status">{progress === null ? 'Beginning' : PHASES[progress.phase]}</h2>
        <button type="button" className="push" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel
        </button>
      </div>
      <progress
        aria-label="Bytes read"
        {...(progress === null || progress.total_bytes === 0
          ? {}
          : { max: progress.total_bytes, value: Math.min(progress.bytes, progress.total_bytes) })}
      />
      <p className="muted number">{said.join(' · ')}</p>
    </section>
  );
}
