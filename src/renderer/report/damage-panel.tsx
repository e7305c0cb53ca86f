import type { DamageMap, DamageRun, DamageState } from '../../protocol/index.ts';
import { LedgerLink } from '../api/ledger/places.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { Panel } from '../ui/panel.tsx';
import { count } from '../ui/time.tsx';
import { barParts, numbersByState } from './damage-bar.ts';
import { DAMAGE_PANEL } from './texts.ts';

const COLUMNS = 500;
const HEIGHT = 24;
const SHOWN_RUNS = 100;

interface Look {
  readonly word: string;
  readonly icon: IconName;
  readonly meaning: string;
}

const LOOKS: Readonly<Record<DamageState, Look>> = {
  proven: { word: DAMAGE_PANEL.proven, icon: 'pass', meaning: DAMAGE_PANEL.provenText },
  unproven: {
    word: DAMAGE_PANEL.notProven,
    icon: 'question',
    meaning: DAMAGE_PANEL.notProvenText,
  },
  missing: { word: DAMAGE_PANEL.missing, icon: 'dash', meaning: DAMAGE_PANEL.missingText },
  damaged: { word: DAMAGE_PANEL.damaged, icon: 'fail', meaning: DAMAGE_PANEL.damagedText },
};
const STATES: readonly DamageState[] = ['proven', 'unproven', 'missing', 'damaged'];

/** Nothing is proven to who does not trust the issuer: then it is only what this issuer says. */
const UNTRUSTED: Look = {
  word: DAMAGE_PANEL.consistent,
  icon: 'question',
  meaning: DAMAGE_PANEL.consistentText,
};

interface DamagePanelProps {
  readonly damage: DamageMap;
  readonly isTrusted: boolean;
  readonly isBrowsable: boolean;
}

/** Which records stay proven, drawn and listed by sequence numbers. */
export function DamagePanel({ damage: { runs, joined }, isTrusted, isBrowsable }: DamagePanelProps) {
  const first = runs[0]?.first_seq_no;
  const last = runs.at(-1)?.last_seq_no;
  if (first === undefined || last === undefined) return null;
  const looks = isTrusted ? LOOKS : { ...LOOKS, proven: UNTRUSTED };
  const classOf = (state: DamageState): string => (state === 'proven' && !isTrusted ? 'claimed' : state);
  const counts = numbersByState(runs);
  const found = STATES.filter((state) => counts.has(state));
  const words = found.map((state) => `${count(counts.get(state) ?? 0)} ${looks[state].word.toLowerCase()}`).join(', ');
  const hurt = runs.filter(({ state }) => state !== 'proven');
  return (
    <Panel title={DAMAGE_PANEL.title} actions={<span className="muted number">{DAMAGE_PANEL.bySequence}</span>}>
      <div className="stack">
        <div>
          <svg
            className="damage"
            viewBox={`0 0 ${COLUMNS} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={DAMAGE_PANEL.bar(first, last, words)}
          >
            <rect className="damage-none" width={COLUMNS} height={HEIGHT} />
            {barParts(runs, COLUMNS).map((part) => (
              <rect
                key={part.first}
                className={`damage-${classOf(part.state)}`}
                x={part.first}
                width={part.last - part.first + 1}
                height={HEIGHT}
              />
            ))}
          </svg>
          <p className="damage-ends number muted" aria-hidden="true">
            <span>{first}</span>
            <span>{last}</span>
          </p>
        </div>
        <ul className="damage-legend" aria-label={DAMAGE_PANEL.legend}>
          {found.map((state) => (
            <li key={state}>
              <span className={`swatch damage-${classOf(state)}`} />
              <Icon name={looks[state].icon} />
              <strong className="number">
                {count(counts.get(state) ?? 0)} {looks[state].word.toLowerCase()}
              </strong>
              <span className="muted">{looks[state].meaning}</span>
            </li>
          ))}
        </ul>
        {hurt.length > 0 && (
          <details>
            <summary>
              {DAMAGE_PANEL.rangesNot(
                hurt.length === 1 ? DAMAGE_PANEL.oneRange : DAMAGE_PANEL.manyRanges(count(hurt.length)),
                isTrusted ? DAMAGE_PANEL.provenWord : DAMAGE_PANEL.consistentWord,
              )}
            </summary>
            <ul className="damage-runs">
              {hurt.slice(0, SHOWN_RUNS).map((run) => (
                <li key={run.first_seq_no}>
                  <span className={`swatch damage-${run.state}`} /> {LOOKS[run.state].word}{' '}
                  <Numbers run={run} isBrowsable={isBrowsable} />
                </li>
              ))}
              {hurt.length > SHOWN_RUNS && (
                <li className="muted">{DAMAGE_PANEL.moreInReport(count(hurt.length - SHOWN_RUNS))}</li>
              )}
              {joined > 0 && <li className="muted">{DAMAGE_PANEL.joined(count(joined + 1))}</li>}
            </ul>
          </details>
        )}
      </div>
    </Panel>
  );
}

function Numbers({ run, isBrowsable }: { readonly run: DamageRun; readonly isBrowsable: boolean }) {
  const { first_seq_no: first, last_seq_no: last } = run;
  const text = first === last ? DAMAGE_PANEL.record(first) : DAMAGE_PANEL.records(first, last);
  return isBrowsable && run.state !== 'missing' ? (
    <LedgerLink to="/search" search={{ unit: 'records', beforeSeq: last + 1 }} data-row className="number">
      {text}
    </LedgerLink>
  ) : (
    <span className="number">{text}</span>
  );
}
