import { useMutation } from '@tanstack/react-query';
import { OWN_KEY_NOTE } from '../../../protocol/index.ts';
import type { ExportJob } from '../../api/answers.ts';
import { addressOf, fetchFile, sentenceOf } from '../../api/call.ts';
import { fill } from '../../lib/fill.ts';
import { WindowReport } from '../../report/window-report.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { useVerification } from '../../verification/use-verification.ts';
import { VERIFY_AGAIN } from './texts.ts';

const ENDINGS: Readonly<Record<ExportJob['format'], string>> = { json: 'csbundle', pdf: 'pdf' };

/** Fetches the file of an export and has it verified in this window, as somebody would who was given it. */
export function VerifyAgain({ job }: { readonly job: ExportJob }) {
  const { verification, start, stop } = useVerification();
  const fetching = useMutation({
    mutationFn: async () => {
      const blob = await fetchFile('downloadExport', { params: { export_id: job.exportId } });
      return new File([blob], `countersign-${job.exportId}.${ENDINGS[job.format]}`);
    },
    onSuccess: (bundle) => start({ bundle, receipts: null, trustedKids: [] }),
  });
  const isRunning = verification.state === 'running';
  return (
    <>
      <Panel title={VERIFY_AGAIN.title}>
        <div className="stack">
          <p>{fill(VERIFY_AGAIN.explained, { ownKeyNote: OWN_KEY_NOTE })}</p>
          <div className="cluster">
            <button
              type="button"
              className="button-primary"
              disabled={fetching.isPending || isRunning}
              onClick={() => fetching.mutate()}
            >
              {VERIFY_AGAIN.checkFile}
            </button>
            {isRunning && (
              <button type="button" onClick={stop}>
                {VERIFY_AGAIN.cancel}
              </button>
            )}
            <a className="button" href={addressOf('verifier')} download>
              {VERIFY_AGAIN.standalone}
            </a>
            <span role="status" className="muted number">
              {fetching.isPending && VERIFY_AGAIN.fetching}
              {isRunning && VERIFY_AGAIN.records(verification.records)}
            </span>
          </div>
          {(fetching.error !== null || verification.state === 'unreadable') && (
            <p className="field-error" role="alert">
              {fetching.error === null ? (
                <Seen text={verification.state === 'unreadable' ? verification.message : ''} />
              ) : (
                sentenceOf(fetching.error)
              )}
            </p>
          )}
        </div>
      </Panel>
      {verification.state === 'done' && (
        <WindowReport report={verification.report} pages={verification.pages} file={verification.file} />
      )}
    </>
  );
}
