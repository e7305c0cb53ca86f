import { useMutation } from '@tanstack/react-query';
import type { Hold, SweepRow } from '../../api/answers.ts';
import { call, fetchFile, sentenceOf } from '../../api/call.ts';
import { invalidate } from '../../api/query-client.ts';
import { saveFile } from '../../api/save-file.ts';
import { askBefore } from '../../components/confirm.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { fill } from '../../lib/fill.ts';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { count, Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { SweepResult } from './sweep-result.tsx';
import { SWEEPS_PANEL } from './texts.ts';

interface SweepsPanelProps {
  readonly sweeps: readonly SweepRow[];
  readonly holds: readonly Hold[];
}

/** Previews and sweeps: the newest with what it found, and all sweeps with their certificates. */
export function SweepsPanel({ sweeps, holds }: SweepsPanelProps) {
  const [newest] = sweeps;
  const preview = sweeps.find(({ dry_run: isPreview, status }) => isPreview && status === 'completed');
  const isBusy = newest?.status === 'running';
  const done = sweeps.filter(({ dry_run: isPreview }) => !isPreview);
  return (
    <Panel
      title={SWEEPS_PANEL.sweeps}
      flush
      actions={
        <>
          <PreviewButton isBusy={isBusy} />
          <BeginSweep isBusy={isBusy} preview={preview} />
        </>
      }
    >
      <div className="panel-body stack">
        {newest === undefined ? (
          <p className="muted">{SWEEPS_PANEL.none}</p>
        ) : (
          <SweepResult sweep={newest} holds={holds} />
        )}
      </div>
      {done.length > 0 && (
        <Table
          heads={[
            SWEEPS_PANEL.startedUtc,
            SWEEPS_PANEL.started,
            SWEEPS_PANEL.result,
            { label: SWEEPS_PANEL.erased, isRight: true },
            { label: SWEEPS_PANEL.held, isRight: true },
            ACTIONS,
          ]}
        >
          {done.map((sweep) => (
            <tr key={sweep.sweep_id}>
              <td>
                <Time value={sweep.begun_at} />
              </td>
              <td>
                <Seen text={sweep.begun_by} />
              </td>
              <td>{RESULTS[sweep.status]}</td>
              <td className="right">{count(sweep.erased)}</td>
              <td className="right">{count(sweep.held)}</td>
              <td className="row-actions">{sweep.certificate_digest !== null && <SaveCertificate sweep={sweep} />}</td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}

const RESULTS: Readonly<Record<SweepRow['status'], string>> = {
  running: SWEEPS_PANEL.running,
  completed: SWEEPS_PANEL.completed,
  stopped: SWEEPS_PANEL.stopped,
  failed: SWEEPS_PANEL.failedContinues,
};

function useBegin() {
  return async (isPreview: boolean): Promise<void> => {
    await call('beginSweep', { body: { dry_run: isPreview } });
    await invalidate('listSweeps');
  };
}

function PreviewButton({ isBusy }: { readonly isBusy: boolean }) {
  const begin = useBegin();
  const preview = useMutation({
    mutationFn: () => begin(true),
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  return (
    <PermittedButton call="beginSweep" disabled={isBusy || preview.isPending} onClick={() => preview.mutate()}>
      {SWEEPS_PANEL.previewSweep}
    </PermittedButton>
  );
}

function BeginSweep({ isBusy, preview }: { readonly isBusy: boolean; readonly preview: SweepRow | undefined }) {
  const begin = useBegin();
  return (
    <PermittedButton
      call="beginSweep"
      className="button-grave"
      disabled={isBusy}
      onClick={() =>
        askBefore({
          title: SWEEPS_PANEL.title,
          verb: SWEEPS_PANEL.confirm,
          word: { label: SWEEPS_PANEL.typeWord, text: SWEEPS_PANEL.word },
          isDestructive: true,
          act: () => begin(false),
          children: (
            <>
              <p>
                {preview === undefined ? (
                  SWEEPS_PANEL.noPreview
                ) : (
                  <>
                    {fill(SWEEPS_PANEL.previewFound, {
                      begunAt: <Time value={preview.begun_at} hasZone />,
                      payloads: SWEEPS_PANEL.payloads(preview.erased),
                      held: count(preview.held),
                    })}{' '}
                  </>
                )}
                {SWEEPS_PANEL.consequence}
              </p>
              <p>{SWEEPS_PANEL.copiesStay}</p>
            </>
          ),
        })
      }
    >
      {SWEEPS_PANEL.ask}
    </PermittedButton>
  );
}

/** Saves the signed text as it is: the digest in the administrative log is that of the file. */
function SaveCertificate({ sweep: { sweep_id: id } }: { readonly sweep: SweepRow }) {
  const save = useMutation({
    mutationFn: async () => {
      const file = await fetchFile('retentionCertificate', { params: { sweep_id: id } });
      saveFile(`retention-certificate-${id}.json`, await file.text(), 'application/json');
    },
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  return (
    <button type="button" className="button-small" disabled={save.isPending} onClick={() => save.mutate()}>
      {SWEEPS_PANEL.saveCertificate}
    </button>
  );
}
