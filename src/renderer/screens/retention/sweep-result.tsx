import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, sentenceOf } from '../../api/call.ts';
import { KEYS } from '../../api/keys.ts';
import type { Hold, SweepRow } from '../../api/retention-queries.ts';
import { PermittedButton } from '../../components/permitted.tsx';
import { plural } from '../../lib/plural.ts';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { HoldCovers, KIND_NAMES } from './hold-words.tsx';

/** How a preview or sweep goes, and what it found: by rule, and by hold. */
export function SweepResult({ sweep, holds }: { readonly sweep: SweepRow; readonly holds: readonly Hold[] }) {
  return (
    <>
      <div className="cluster">
        <State sweep={sweep} />
        {sweep.status === 'running' && <Stop sweep={sweep} />}
      </div>
      {sweep.rules.length > 0 && (
        <Table
          heads={['Rule', 'Received before (UTC)', { label: sweep.dry_run ? 'To erase' : 'Erased', isRight: true }]}
        >
          {sweep.rules.map((rule) => (
            <tr key={rule.name}>
              <td>
                <Seen text={rule.name} />
              </td>
              <td>
                {rule.before === null ? <span className="muted">kept for good</span> : <Time value={rule.before} />}
              </td>
              <td className="right">{rule.erased.toLocaleString('en')}</td>
            </tr>
          ))}
        </Table>
      )}
      {sweep.holds.length > 0 && (
        <Table heads={['Legal hold', { label: 'Keeps of what is due', isRight: true }]}>
          {sweep.holds.map(({ hold_id: id, kind, held }) => {
            const hold = holds.find((one) => one.hold_id === id);
            return (
              <tr key={id}>
                <td>
                  <span className="muted">{KIND_NAMES[kind]}</span>{' '}
                  {hold === undefined ? <Seen text={id} /> : <HoldCovers hold={hold} />}
                </td>
                <td className="right">{held.toLocaleString('en')}</td>
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
  const what = isPreview ? 'Preview' : 'Sweep';
  if (status === 'running') {
    const percent = all === 0 ? 100 : Math.floor((100 * examined) / all);
    return (
      <span className="cluster" role="status">
        <progress max={100} value={percent} aria-label="Examined" /> {what}: {percent} % of {plural(all, 'record')}{' '}
        examined
      </span>
    );
  }
  if (status === 'failed') {
    return (
      <span role="alert" className="field-error">
        {what} failed: <Seen text={sweep.failure ?? ''} />
      </span>
    );
  }
  const found = isPreview
    ? `${plural(erased, 'payload')} to erase, ${held.toLocaleString('en')} held`
    : `${plural(erased, 'payload')} erased, ${held.toLocaleString('en')} held`;
  return (
    <span role="status">
      {what} {status === 'stopped' ? stoppedWords(sweep) : 'completed'}{' '}
      {sweep.ended_at !== null && <Time value={sweep.ended_at} hasZone />}: <strong>{found}</strong>
    </span>
  );
}

function stoppedWords({ stopped_because: why }: SweepRow): string {
  return why === 'rules_changed' ? 'stopped because the rules changed' : 'stopped on request';
}

function Stop({ sweep: { sweep_id: id } }: { readonly sweep: SweepRow }) {
  const client = useQueryClient();
  const stop = useMutation({
    mutationFn: () => call('stopSweep', { params: { sweep_id: id }, body: {} }),
    onSuccess: () => client.invalidateQueries({ queryKey: KEYS.sweeps }),
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  return (
    <PermittedButton call="stopSweep" className="button-small" disabled={stop.isPending} onClick={() => stop.mutate()}>
      Stop
    </PermittedButton>
  );
}
