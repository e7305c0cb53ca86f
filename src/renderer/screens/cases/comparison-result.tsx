import { useQuery } from '@tanstack/react-query';
import { canonicalize } from '../../../protocol/index.ts';
import type { Case, Comparison } from '../../api/answers.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { q } from '../../api/query.ts';
import { saveFile } from '../../api/save-file.ts';
import { OrganizationLabel } from '../../components/fingerprint.tsx';
import { fill } from '../../lib/fill.ts';
import { Findings } from '../../report/findings.tsx';
import { Hero } from '../../report/hero.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { count } from '../../ui/time.tsx';
import { comparisonMeaning, type ComparisonResult as Result } from './comparison-meaning.ts';
import { DifferingRecords } from './differing-records.tsx';
import { COMPARISON_RESULT } from './texts.ts';

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
              {COMPARISON_RESULT.saveProof}
            </button>
          )
        }
      >
        <p>
          <Seen text={text} />
        </p>
        {doubtful.map(({ case_id, name, verdict }) => (
          <p key={case_id}>
            {fill(COMPARISON_RESULT.verdictOn, {
              case: <Seen text={name} />,
              verdict: verdict ?? COMPARISON_RESULT.noneYet,
            })}
          </p>
        ))}
      </Hero>
      <DifferingRecords result={result} with={other} />
      <div className="columns">
        <SideFacts title={COMPARISON_RESULT.thisCase} side={result.this} of={compared[0]} />
        <SideFacts title={COMPARISON_RESULT.theOther} side={result.other} of={compared[1]} />
      </div>
      <Panel title={COMPARISON_RESULT.records}>
        <FactList
          of={{
            [COMPARISON_RESULT.inBoth]: <span className="number">{count(result.common)}</span>,
            [COMPARISON_RESULT.receiptsDiffer]: (
              <span className="number">
                {count(result.differing)}
                {result.first_differing.length > 0 && ': '}
                {result.first_differing.slice(0, 20).map((seqNo) => (
                  <span key={seqNo}>
                    <LedgerLink to="/search" search={{ unit: 'records', beforeSeq: seqNo + 1 }} data-row>
                      {seqNo}
                    </LedgerLink>{' '}
                  </span>
                ))}
                {result.differing > 20 && '…'}
              </span>
            ),
            [COMPARISON_RESULT.contentDiffers]: <span className="number">{count(result.content_differing)}</span>,
            [COMPARISON_RESULT.payloadsNotCompared]: result.payloads_uncompared > 0 && (
              <span className="number">{COMPARISON_RESULT.withheldInOne(count(result.payloads_uncompared))}</span>
            ),
            [COMPARISON_RESULT.onlyHere]: <span className="number">{runsText(result.only_this)}</span>,
            [COMPARISON_RESULT.onlyThere]: <span className="number">{runsText(result.only_other)}</span>,
          }}
        />
        {result.runs_left_out > 0 && (
          <p className="muted">{COMPARISON_RESULT.moreRunsLeftOut(count(result.runs_left_out))}</p>
        )}
      </Panel>
      {result.findings.length > 0 && (
        <Panel title={COMPARISON_RESULT.findings(count(result.findings.length))} flush>
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
    .map(({ first_seq_no: first, last_seq_no: last }) => (first === last ? String(first) : `${first} – ${last}`));
  return [
    ...texts,
    ...(runs.length > SHOWN_RUNS ? [COMPARISON_RESULT.moreRuns(count(runs.length - SHOWN_RUNS))] : []),
  ].join(', ');
}

interface SideFactsProps {
  readonly title: string;
  readonly side: Side;
  /** The case that it is, where it is one. */
  readonly of: Case | undefined;
}

function SideFacts({ title, side, of }: SideFactsProps) {
  // Whoever compares with the live ledger is signed in to its organization.
  const own = useQuery({ ...q('organization'), enabled: of === undefined });
  const name = of === undefined ? own.data?.name : of.report?.bundle.org_name;
  return (
    <Panel title={title}>
      <FactList
        of={{
          [COMPARISON_RESULT.name]: <Seen text={side.name} />,
          [COMPARISON_RESULT.organization]: (
            <OrganizationLabel orgId={side.org_id} name={name ?? null} resemblesHome={of?.resembles_home === true} />
          ),
          [COMPARISON_RESULT.records]: (
            <span className="number">
              {count(side.records)}
              {side.first_seq_no !== null && side.last_seq_no !== null
                ? `, ${side.first_seq_no} – ${side.last_seq_no}`
                : ''}
            </span>
          ),
        }}
      />
    </Panel>
  );
}
