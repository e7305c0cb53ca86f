import { useMutation } from '@tanstack/react-query';
import type { Hold, SweepRow } from '../../api/answers.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { invalidate } from '../../api/query-client.ts';
import { PermittedButton } from '../../components/permitted.tsx';
import { fill } from '../../lib/fill.ts';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { count, Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { HoldCovers, KIND_NAMES } from './hold-words.tsx';
import { SWEEP_RESULT } from './texts.ts';

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
  const found = isPreview
    ? SWEEP_RESULT.toErase(SWEEP_RESULT.payloads(erased), count(held))
    : SWEEP_RESULT.wereErased(SWEEP_RESULT.payloads(erased), count(held));
  return (
    <span role="status">
      {what} {status === 'stopped' ? stoppedWords(sweep) : SWEEP_RESULT.completed}{' '}
      {sweep.ended_at !== null && <Time value={sweep.ended_at} hasZone />}: <strong>{found}</strong>
    </span>
  );
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
