import { useMutation } from '@tanstack/react-query';
import { OWN_KEY_NOTE } from '../../../protocol/index.ts';
import type { ExportJob } from '../../api/answers.ts';
import { addressOf, fetchFile, sentenceOf } from '../../api/call.ts';
import { plural } from '../../lib/plural.ts';
import { WindowReport } from '../../report/window-report.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { useVerification } from '../../verification/use-verification.ts';

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
      <Panel title="Verification of the file">
        <div className="stack">
          <p>
            The file is fetched and checked in this window, by the verifier that strangers use, and the verdict is what
            a stranger would see who has not confirmed the issuer: consistent at best. {OWN_KEY_NOTE}
          </p>
          <div className="cluster">
            <button
              type="button"
              className="button-primary"
              disabled={fetching.isPending || isRunning}
              onClick={() => fetching.mutate()}
            >
              Check file
            </button>
            {isRunning && (
              <button type="button" onClick={stop}>
                Cancel
              </button>
            )}
            <a className="button" href={addressOf('verifier')} download>
              Verifier to take along
            </a>
            <span role="status" className="muted number">
              {fetching.isPending && 'Fetching…'}
              {isRunning && plural(verification.records, 'record')}
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
