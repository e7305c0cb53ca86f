import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { SCREENS } from '../../../api/index.ts';
import {
  describeFork,
  describeHeldProblem,
  equivocationProofBytes,
  type Fork,
  type ForksReport,
  fingerprintDigits,
  type LedgerForks,
  summarizeForks,
} from '../../../protocol/index.ts';
import { sessionQuery } from '../../api/query.ts';
import { saveBlob } from '../../api/save-file.ts';
import { Form } from '../../components/form.tsx';
import { Mark } from '../../components/mark.tsx';
import { Screen } from '../../components/screen.tsx';
import { fill } from '../../lib/fill.ts';
import { TextField } from '../../ui/field.tsx';
import { FileField } from '../../ui/file-field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { count } from '../../ui/time.tsx';
import type { ForksReply, ForksRequest } from '../../verification/messages.ts';
import { readTrustEntries } from '../verify/trust-entries.ts';
import { FORKS_SCREEN } from './texts.ts';

type Comparison =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly bytes: number; readonly of: number }
  | { readonly state: 'done'; readonly report: ForksReport }
  | { readonly state: 'failed'; readonly message: string };

/** Compares files in a thread of this window; they go nowhere. The thread ends with the screen. */
function useComparison() {
  const [comparison, setComparison] = useState<Comparison>({ state: 'idle' });
  const worker = useRef<Worker | null>(null);
  useEffect(() => () => worker.current?.terminate(), []);
  const stop = useCallback(() => {
    worker.current?.terminate();
    worker.current = null;
    setComparison({ state: 'idle' });
  }, []);
  const start = useCallback((request: ForksRequest) => {
    worker.current?.terminate();
    const thread = new Worker(new URL('../../verification/forks-worker.ts', import.meta.url), { type: 'module' });
    worker.current = thread;
    const of = request.files.reduce((sum, { size }) => sum + size, 0);
    const end = (comparison: Comparison): void => {
      thread.terminate();
      setComparison(comparison);
    };
    setComparison({ state: 'running', bytes: 0, of });
    thread.onmessage = ({ data }: MessageEvent<ForksReply>) => {
      if (data.kind === 'progress') setComparison({ state: 'running', bytes: data.bytes, of });
      else if (data.kind === 'forks') end({ state: 'done', report: data.report });
      else end({ state: 'failed', message: data.message });
    };
    thread.onerror = () => end({ state: 'failed', message: FORKS_SCREEN.failed });
    thread.postMessage(request);
  }, []);
  return { comparison, start, stop };
}

/** Holds any number of files against each other, for anybody: nothing is sent, and no account is needed. */
export function ForksScreen() {
  const { comparison, start, stop } = useComparison();
  const { data: session } = useQuery(sessionQuery);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [kids, setKids] = useState('');
  const isRunning = comparison.state === 'running';
  const submit = (): void => {
    if (files.length > 0) start({ files, trustedKids: readTrustEntries(kids) });
  };
  return (
    <Screen
      name={SCREENS.forks.label}
      title={SCREENS.forks.label}
      actions={
        <Link to={session === null ? '/dashboard' : '/verify'} className="button">
          {session === null ? FORKS_SCREEN.backToStart : SCREENS.verify.label}
        </Link>
      }
    >
      <div className="stack">
        <Form className="drop" act={submit}>
          <p>{fill(FORKS_SCREEN.explained, { files: <strong>{FORKS_SCREEN.stayHere}</strong> })}</p>
          <FileField label={FORKS_SCREEN.files} accept="" onFiles={setFiles} isFilter />
          <TextField
            label={FORKS_SCREEN.trusted}
            hint={FORKS_SCREEN.trustedHint}
            size={74}
            spellCheck={false}
            value={kids}
            onChange={setKids}
          />
          <div className="cluster">
            <button type="submit" className="button-primary" disabled={files.length === 0 || isRunning}>
              {FORKS_SCREEN.compare}
            </button>
            {isRunning && (
              <button type="button" onClick={stop}>
                {FORKS_SCREEN.cancel}
              </button>
            )}
          </div>
          {isRunning && (
            <div className="field" role="status">
              <progress
                aria-label={FORKS_SCREEN.progress}
                max={comparison.of}
                value={Math.min(comparison.bytes, comparison.of)}
              />
            </div>
          )}
        </Form>
        {comparison.state === 'failed' && (
          <p className="field-error" role="alert">
            <Seen text={comparison.message} />
          </p>
        )}
        {comparison.state === 'done' && <Comparison report={comparison.report} />}
      </div>
    </Screen>
  );
}

const MARKS = { verified: 'pass', incomplete: 'cannot_check', failed: 'fail' } as const;

function Comparison({ report }: { readonly report: ForksReport }) {
  const { verdict, ledgers, problems } = report;
  return (
    <section className="stack" aria-label={FORKS_SCREEN.verdicts[verdict]}>
      <p role="status">
        <Mark outcome={MARKS[verdict]} word={FORKS_SCREEN.verdicts[verdict]} /> {summarizeForks(report)}
      </p>
      {ledgers.map((ledger) => (
        <Ledger key={`${ledger.org_id} ${ledger.issuer.kids.join()}`} ledger={ledger} />
      ))}
      {problems.length > 0 && (
        <Panel title={FORKS_SCREEN.notCompared}>
          <ul>
            {problems.map((problem) => (
              <li key={`${problem.file} ${problem.code}`}>
                <Seen text={`${problem.file}: ${describeHeldProblem(problem)}.`} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </section>
  );
}

function Ledger({
  ledger: { org_id, issuer, branches, shared, forks, apart, names },
}: {
  readonly ledger: LedgerForks;
}) {
  const [kid] = issuer.kids;
  return (
    <Panel title={FORKS_SCREEN.ledger(org_id)}>
      <div className="stack">
        {kid !== undefined && (
          <p>
            {FORKS_SCREEN.signedBy} <span className="code breakable">{fingerprintDigits(kid).join(' ')}</span>{' '}
            <span className="muted">{issuer.trusted ? FORKS_SCREEN.trustedKey : FORKS_SCREEN.strangeKey}</span>
          </p>
        )}
        <Table heads={[FORKS_SCREEN.line, { label: FORKS_SCREEN.upTo, isRight: true }, FORKS_SCREEN.who]}>
          {branches.map(({ branch, files, reach }) => (
            <tr key={branch}>
              <td className="number">{branch}</td>
              <td className="right number">{count(reach)}</td>
              <td className="wraps">
                <Seen text={files.map(({ name }) => name).join(', ')} />
              </td>
            </tr>
          ))}
          {shared.map(({ name, branches: fits }) => (
            <tr key={name}>
              <td>{FORKS_SCREEN.shared}</td>
              <td className="right">{FORKS_SCREEN.inLines(fits)}</td>
              <td className="wraps">
                <Seen text={name} />
              </td>
            </tr>
          ))}
        </Table>
        {forks.map((fork) => (
          <Divergence key={fork.branches.join()} fork={fork} />
        ))}
        {apart.map(([a, b]) => (
          <p key={`${a} ${b}`}>
            <Mark outcome="cannot_check" word={FORKS_SCREEN.apart(a, b)} />
          </p>
        ))}
        {names.map(({ files, agent_id, names: called }) => (
          <p key={files.join()}>
            <Mark outcome="fail" word={FORKS_SCREEN.namesDiffer} />{' '}
            <Seen
              text={FORKS_SCREEN.namedTwice(
                files.join(', '),
                agent_id ?? FORKS_SCREEN.organization,
                called.map((name) => `“${name}”`).join(', '),
              )}
            />
          </p>
        ))}
      </div>
    </Panel>
  );
}

/** Two lines of which only one can be true, with the two statements that prove it. */
function Divergence({ fork }: { readonly fork: Fork }) {
  const { branches, proof } = fork;
  const [a, b] = branches;
  const save = (): void => {
    if (proof === null) return;
    saveBlob(
      `fork-${a}-${b}.json`,
      new Blob([new Uint8Array(equivocationProofBytes(proof))], { type: 'application/json' }),
    );
  };
  return (
    <p className="cluster">
      <Mark outcome="fail" word={FORKS_SCREEN.lines(a, b)} />
      <span>{describeFork(fork)}.</span>
      {proof === null ? (
        <span className="muted">{FORKS_SCREEN.noProof}</span>
      ) : (
        <button type="button" className="button-small" aria-label={FORKS_SCREEN.saveProofOf(a, b)} onClick={save}>
          {FORKS_SCREEN.saveProof}
        </button>
      )}
    </p>
  );
}
