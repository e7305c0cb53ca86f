import { canonicalize } from '../../../protocol/index.ts';
import type { Case, Comparison } from '../../api/answers.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { saveFile } from '../../api/save-file.ts';
import { OrganizationLabel } from '../../components/fingerprint.tsx';
import { Findings } from '../../report/findings.tsx';
import { Hero } from '../../report/hero.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { count } from '../../ui/time.tsx';
import { comparisonMeaning, type ComparisonResult as Result } from './comparison-meaning.ts';
import { DifferingRecords } from './differing-records.tsx';

type Side = Result['this'];

interface ComparisonResultProps {
  readonly with: Comparison['with'];
  readonly result: Result;
  /** The cases that are compared: this one and, unless it is the live ledger, the other. */
  readonly compared: readonly Case[];
}

/** What came of holding two ledgers against each other. */
export function ComparisonResult({ result, compared, with: other }: ComparisonResultProps) {
  const doubtful = compared.filter(({ verdict }) => verdict !== 'verified');
  const { title, text, ...meaning } = comparisonMeaning(result);
  // What is the same in both says nothing of what a verification found besides, or could not check.
  const outcome = meaning.outcome === 'pass' && doubtful.length > 0 ? 'cannot_check' : meaning.outcome;
  const { proof } = result;
  return (
    <>
      <Hero
        outcome={outcome}
        title={title}
        actions={
          proof !== null && (
            <button
              type="button"
              className="button-primary"
              onClick={() => saveFile('equivocation-proof.json', canonicalize(proof), 'application/json')}
            >
              Save the proof
            </button>
          )
        }
      >
        <p>{text}</p>
        {doubtful.map(({ case_id, name, verdict }) => (
          <p key={case_id}>
            This compares the two with each other. The verdict on <Seen text={name} /> is: {verdict ?? 'none yet'}.
          </p>
        ))}
      </Hero>
      <DifferingRecords result={result} with={other} />
      <div className="columns">
        <SideFacts title="This case" side={result.this} of={compared[0]} />
        <SideFacts title="The other" side={result.other} of={compared[1]} />
      </div>
      <Panel title="Records">
        <dl className="facts">
          <dt>In both</dt>
          <dd className="number">{count(result.common)}</dd>
          <dt>Receipts that differ</dt>
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
          <dt>Content that differs</dt>
          <dd className="number">{count(result.content_differing)}</dd>
          {result.payloads_uncompared > 0 && (
            <>
              <dt>Payloads not compared</dt>
              <dd className="number">{count(result.payloads_uncompared)}: withheld in one of the two</dd>
            </>
          )}
          <dt>Only in this case</dt>
          <dd className="number">{runsText(result.only_this)}</dd>
          <dt>Only in the other</dt>
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

interface SideFactsProps {
  readonly title: string;
  readonly side: Side;
  /** The case that it is, where it is one. */
  readonly of: Case | undefined;
}

function SideFacts({ title, side, of }: SideFactsProps) {
  return (
    <Panel title={title}>
      <dl className="facts">
        <dt>Name</dt>
        <dd>
          <Seen text={side.name} />
        </dd>
        <dt>Organization</dt>
        <dd>
          <OrganizationLabel
            orgId={side.org_id}
            name={of?.report?.bundle.org_name ?? null}
            resemblesHome={of?.resembles_home === true}
          />
        </dd>
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
