import { useMutation } from '@tanstack/react-query';
import type { Hold, SweepRow } from '../../api/answers.ts';
import { call, fetchFile, sentenceOf } from '../../api/call.ts';
import { invalidate } from '../../api/query-client.ts';
import { saveFile } from '../../api/save-file.ts';
import { askBefore } from '../../components/confirm.tsx';
import { HoldCovers, KIND_NAMES } from '../../components/holds/hold-words.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { fill } from '../../lib/fill.ts';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { count, Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { SWEEP_RESULT, SWEEPS_PANEL } from './texts.ts';

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
                      found: toEraseWords(preview),
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

/** How a preview or sweep goes, and what it found: by rule, and by hold. */
function SweepResult({ sweep, holds }: { readonly sweep: SweepRow; readonly holds: readonly Hold[] }) {
  return (
    <>
      <div className="cluster">
        <State sweep={sweep} />
        {sweep.status === 'running' && <Stop sweep={sweep} />}
      </div>
      {sweep.rules.length > 0 && (
        <Table
          heads={[
            SWEEP_RESULT.rule,
            SWEEP_RESULT.receivedBeforeUtc,
            { label: sweep.dry_run ? SWEEP_RESULT.erase : SWEEP_RESULT.erased, isRight: true },
          ]}
        >
          {sweep.rules.map((rule) => (
            <tr key={rule.name}>
              <td>
                <Seen text={rule.name} />
              </td>
              <td>
                {rule.before === null ? (
                  <span className="muted">{SWEEP_RESULT.keptForGood}</span>
                ) : (
                  <Time value={rule.before} />
                )}
              </td>
              <td className="right">{count(rule.erased)}</td>
            </tr>
          ))}
        </Table>
      )}
      {sweep.holds.length > 0 && (
        <Table heads={[SWEEP_RESULT.legalHold, { label: SWEEP_RESULT.keeps, isRight: true }]}>
          {sweep.holds.map(({ hold_id: id, kind, held }) => {
            const hold = holds.find((one) => one.hold_id === id);
            return (
              <tr key={id}>
                <td>
                  <span className="muted">{KIND_NAMES[kind]}</span>{' '}
                  {hold === undefined ? <Seen text={id} /> : <HoldCovers hold={hold} />}
                </td>
                <td className="right">{count(held)}</td>
              </tr>
            );
          })}
        </Table>
      )}
    </>
  );
}

function State({ sweep }: { readonly sweep: SweepRow }) {
  const { status, dry_run: isPreview, examined, to_examine: all, erased, held } = sweep;
  const what = isPreview ? SWEEP_RESULT.preview : SWEEP_RESULT.sweep;
  if (status === 'running') {
    const percent = all === 0 ? 100 : Math.floor((100 * examined) / all);
    return (
      <span className="cluster" role="status">
        <progress max={100} value={percent} aria-label={SWEEP_RESULT.examined} />{' '}
        {fill(SWEEP_RESULT.progress, { what, percent, records: SWEEP_RESULT.records(all) })}
      </span>
    );
  }
  if (status === 'failed') {
    return (
      <span role="alert" className="field-error">
        {fill(SWEEP_RESULT.sweepFailed, { what, reason: <Seen text={sweep.failure ?? ''} /> })}
      </span>
    );
  }
  const found = isPreview ? toEraseWords(sweep) : SWEEP_RESULT.wereErased(SWEEP_RESULT.payloads(erased), count(held));
  return (
    <span role="status">
      {what} {status === 'stopped' ? stoppedWords(sweep) : SWEEP_RESULT.completed}{' '}
      {sweep.ended_at !== null && <Time value={sweep.ended_at} hasZone />}: <strong>{found}</strong>
    </span>
  );
}

/** What a preview found, in the ledger and in an archive that the same rules decide about. */
function toEraseWords({ erased, held, archive }: SweepRow): string {
  const own = SWEEP_RESULT.toErase(SWEEP_RESULT.payloads(erased), count(held));
  if (archive === undefined) return own;
  const left = archive.runs_left === 0 ? '' : SWEEP_RESULT.archiveLeft(archive.runs_left);
  return own + SWEEP_RESULT.inArchive(SWEEP_RESULT.payloads(archive.due), count(archive.held)) + left;
}

function stoppedWords({ stopped_because: why }: SweepRow): string {
  return why === 'rules_changed' ? SWEEP_RESULT.rulesChanged : SWEEP_RESULT.stoppedRequest;
}

function Stop({ sweep: { sweep_id: id } }: { readonly sweep: SweepRow }) {
  const stop = useMutation({
    mutationFn: () => call('stopSweep', { params: { sweep_id: id }, body: {} }),
    onSuccess: () => invalidate('listSweeps'),
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  return (
    <PermittedButton call="stopSweep" className="button-small" disabled={stop.isPending} onClick={() => stop.mutate()}>
      {SWEEP_RESULT.stopSweep}
    </PermittedButton>
  );
}
