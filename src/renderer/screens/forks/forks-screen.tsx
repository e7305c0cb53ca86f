import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
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
import { BLOCK, CaseFileRefused, evidenceIn, isCaseFile, openArchive } from '../../../reports/case-file/index.ts';
import { webCrypto } from '../../../reports/verify/index.ts';
import { takeDroppedFiles, useDroppedFiles } from '../../api/dropped-files.ts';
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
import type { ForksProgress, ForksRequest, ForksResult } from '../../verification/messages.ts';
import { useThread } from '../../verification/use-thread.ts';
import { readTrustEntries } from '../verify/trust-entries.ts';
import { FORKS_SCREEN } from './texts.ts';

const begin = (): Worker =>
  new Worker(new URL('../../verification/forks-worker.ts', import.meta.url), { type: 'module' });
const AT_FIRST: ForksProgress = { bytes: 0, of: 1 };

/** A case file that cannot be read: the message is for people. */
class CaseUnreadable extends Error {
  override readonly name = 'CaseUnreadable';
}

/** Files as they are compared: in place of a case file, the evidence in it. @throws CaseUnreadable */
async function unpackCases(files: readonly File[]): Promise<File[]> {
  const unpacked: File[] = [];
  for (const file of files) {
    const readAt = async (offset: number, length: number): Promise<Uint8Array> =>
      new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());
    if (!isCaseFile(await readAt(0, BLOCK))) {
      unpacked.push(file);
      continue;
    }
    const archive = await openArchive(readAt, file.size, await webCrypto()).catch((error: unknown) => {
      throw error instanceof CaseFileRefused ? new CaseUnreadable(`${file.name}: ${error.message}`) : error;
    });
    for (const { name, part } of evidenceIn(archive)) {
      const { offset, size } = part.entry;
      unpacked.push(new File([file.slice(offset, offset + size)], `${file.name}: ${name}`));
    }
  }
  return unpacked;
}

/** Holds any number of files against each other, for anybody: nothing is sent, and no account is needed. */
export function ForksScreen() {
  const { work: comparison, start, stop } = useThread<ForksRequest, ForksProgress, ForksResult>(begin, AT_FIRST);
  const { data: session } = useQuery(sessionQuery);
  const [chosen, setChosen] = useState<readonly File[]>([]);
  // What another screen laid down, such as a case that it saved.
  const dropped = useDroppedFiles();
  const [handed, setHanded] = useState<readonly File[]>([]);
  useEffect(() => {
    const files = dropped.filter((file) => file instanceof File);
    if (files.length === 0) return;
    setHanded(files);
    takeDroppedFiles();
  }, [dropped]);
  const files = [...handed, ...chosen];
  const [kids, setKids] = useState('');
  const isRunning = comparison.state === 'running';
  const submit = async (): Promise<void> => {
    if (files.length > 0) start({ files: await unpackCases(files), trustedKids: readTrustEntries(kids) });
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
          <FileField label={FORKS_SCREEN.files} accept="" onFiles={setChosen} isFilter />
          {handed.length > 0 && (
            <p className="cluster">
              <Seen text={FORKS_SCREEN.handed(handed.map(({ name }) => name).join(', '))} />
              <button type="button" className="button-small" onClick={() => setHanded([])}>
                {FORKS_SCREEN.leaveOut}
              </button>
            </p>
          )}
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
        {comparison.state === 'unreadable' && (
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
                files.join(' and '),
                agent_id ?? FORKS_SCREEN.organization,
                called.map((name) => `“${name}”`).join(' and '),
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
