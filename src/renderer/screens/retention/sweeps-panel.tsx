import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, fetchFile, sentenceOf } from '../../api/call.ts';
import { KEYS } from '../../api/keys.ts';
import type { Hold, SweepRow } from '../../api/retention-queries.ts';
import { saveFile } from '../../api/save-file.ts';
import { Confirm } from '../../components/confirm.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { plural } from '../../lib/plural.ts';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { SweepResult } from './sweep-result.tsx';

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
      title="Sweeps"
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
          <p className="muted">
            No sweep yet. A preview counts what a sweep would erase and what legal holds keep, and changes nothing.
          </p>
        ) : (
          <SweepResult sweep={newest} holds={holds} />
        )}
      </div>
      {done.length > 0 && (
        <Table
          heads={[
            'Begun (UTC)',
            'By',
            'Result',
            { label: 'Erased', isRight: true },
            { label: 'Held', isRight: true },
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
              <td className="right">{sweep.erased.toLocaleString('en')}</td>
              <td className="right">{sweep.held.toLocaleString('en')}</td>
              <td className="row-actions">{sweep.certificate_digest !== null && <SaveCertificate sweep={sweep} />}</td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}

const RESULTS: Readonly<Record<SweepRow['status'], string>> = {
  running: 'Running',
  completed: 'Completed',
  stopped: 'Stopped',
  failed: 'Failed; the next sweep continues it',
};

function useBegin() {
  const client = useQueryClient();
  return async (isPreview: boolean): Promise<void> => {
    await call('beginSweep', { body: { dry_run: isPreview } });
    await client.invalidateQueries({ queryKey: KEYS.sweeps });
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
      Preview
    </PermittedButton>
  );
}

function BeginSweep({ isBusy, preview }: { readonly isBusy: boolean; readonly preview: SweepRow | undefined }) {
  const [isAsking, setAsking] = useState(false);
  const begin = useBegin();
  return (
    <>
      <PermittedButton call="beginSweep" className="button-danger" disabled={isBusy} onClick={() => setAsking(true)}>
        Begin a sweep…
      </PermittedButton>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Begin a sweep"
        verb="Erase what is due"
        word={{ label: 'Type erase to confirm', text: 'erase' }}
        isDestructive
        act={() => begin(false)}
      >
        <p>
          {preview === undefined ? (
            'There is no preview yet. '
          ) : (
            <>
              The preview of <Time value={preview.begun_at} hasZone /> found {plural(preview.erased, 'payload')} to
              erase and {preview.held.toLocaleString('en')} held.{' '}
            </>
          )}
          Payloads, members and salts that are due are erased for good. Records, signatures and proofs stay, and bundles
          still verify. Exports on this service that hold what is erased are deleted.
        </p>
        <p>
          A sweep does not reach copies made before: backups, cases, and exports that were downloaded keep what they
          hold.
        </p>
      </Confirm>
    </>
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
      Save certificate
    </button>
  );
}
