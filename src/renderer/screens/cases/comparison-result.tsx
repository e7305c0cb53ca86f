import { canonicalize } from '../../../protocol/index.ts';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { Seen } from '../../components/seen.tsx';
import { count } from '../../components/time.tsx';
import { LedgerLink } from '../../ledger/places.tsx';
import type { Outcome } from '../../proof/outcome.ts';
import { Findings } from '../../report/findings.tsx';
import type { Case, Comparison } from '../../service/answers.ts';
import { saveFile } from '../../service/save-file.ts';

type Result = NonNullable<Comparison['result']>;
type Side = Result['this'];

interface Meaning {
  readonly outcome: Outcome;
  readonly title: string;
  readonly text: string;
}

const MEANINGS: Readonly<Record<Result['relation'], Meaning>> = {
  same: { outcome: 'pass', title: 'The same', text: 'Both have the same receipt for every seq_no.' },
  this_extends: {
    outcome: 'pass',
    title: 'This case goes on where the other ends',
    text: 'Every seq_no that both have, has the same receipt, and this case has more.',
  },
  other_extends: {
    outcome: 'pass',
    title: 'The other goes on where this case ends',
    text: 'Every seq_no that both have, has the same receipt, and the other has more.',
  },
  overlap: {
    outcome: 'cannot_check',
    title: 'They agree where they meet',
    text: 'Each has records that the other lacks; what both have is the same.',
  },
  disjoint: {
    outcome: 'cannot_check',
    title: 'They have nothing in common',
    text: 'No seq_no is in both: nothing can be said of how they fit.',
  },
  contradiction: {
    outcome: 'fail',
    title: 'They contradict each other',
    text: 'There are different receipts for one seq_no: the issuer told two stories.',
  },
  unrelated: {
    outcome: 'not_applicable',
    title: 'They are of different organizations',
    text: 'There is nothing to compare.',
  },
};

interface ComparisonResultProps {
  readonly result: Result;
  /** The compared cases that are not verified. */
  readonly doubtful: readonly Case[];
}

/** What came of holding two ledgers against each other. */
export function ComparisonResult({ result, doubtful }: ComparisonResultProps) {
  const { title, text, ...meaning } = MEANINGS[result.relation];
  // Receipts that are the same say nothing of what a verification found besides, or could not check.
  const outcome = meaning.outcome === 'pass' && doubtful.length > 0 ? 'cannot_check' : meaning.outcome;
  const { proof } = result;
  return (
    <>
      <section className={`verdict verdict-${outcome}`} role="status">
        <Mark outcome={outcome} word="" />
        <div>
          <h2>{title}</h2>
          <p>{text}</p>
          {doubtful.map(({ case_id, name, verdict }) => (
            <p key={case_id}>
              This is about the receipts alone. The verdict on <Seen text={name} /> is: {verdict ?? 'none yet'}.
            </p>
          ))}
        </div>
        {proof !== null && (
          <button
            type="button"
            className="push"
            onClick={() => saveFile('equivocation-proof.json', canonicalize(proof), 'application/json')}
          >
            Save the proof
          </button>
        )}
      </section>
      <div className="columns">
        <SideFacts title="This case" side={result.this} />
        <SideFacts title="The other" side={result.other} />
      </div>
      <Panel title="Records">
        <dl className="facts">
          <dt>In both</dt>
          <dd className="number">{count(result.common)}</dd>
          <dt>Different</dt>
          <dd className="number">
            {count(result.differing)}
            {result.first_differing.length > 0 && ': '}
            {result.first_differing.slice(0, 20).map((seqNo) => (
              <span key={seqNo}>
                <LedgerLink to="/search" search={{ beforeSeq: seqNo + 1 }} data-row>
                  {seqNo}
                </LedgerLink>{' '}
              </span>
            ))}
            {result.differing > 20 && '…'}
          </dd>
          <dt>Only here</dt>
          <dd className="number">{runsText(result.only_this)}</dd>
          <dt>Only there</dt>
          <dd className="number">{runsText(result.only_other)}</dd>
        </dl>
        {result.runs_left_out > 0 && <p className="muted">{count(result.runs_left_out)} more runs are not listed.</p>}
      </Panel>
      {result.findings.length > 0 && (
        <Panel title={`Findings (${count(result.findings.length)})`} flush>
          <Findings findings={result.findings} isBrowsable />
        </Panel>
      )}
    </>
  );
}

const SHOWN_RUNS = 12;

function runsText(runs: Result['only_this']): string {
  if (runs.length === 0) return 'none';
  const texts = runs
    .slice(0, SHOWN_RUNS)
    .map(({ first_seq_no: first, last_seq_no: last }) =>
      first === last ? count(first) : `${count(first)} – ${count(last)}`,
    );
  return [...texts, ...(runs.length > SHOWN_RUNS ? [`and ${count(runs.length - SHOWN_RUNS)} more runs`] : [])].join(
    ', ',
  );
}

function SideFacts({ title, side }: { readonly title: string; readonly side: Side }) {
  return (
    <Panel title={title}>
      <dl className="facts">
        <dt>Name</dt>
        <dd>
          <Seen text={side.name} />
        </dd>
        <dt>Organization</dt>
        <dd className="code">{side.org_id ?? '–'}</dd>
        <dt>Records</dt>
        <dd className="number">
          {count(side.records)}
          {side.first_seq_no !== null && side.last_seq_no !== null
            ? `, ${count(side.first_seq_no)} – ${count(side.last_seq_no)}`
            : ''}
        </dd>
      </dl>
    </Panel>
  );
}
