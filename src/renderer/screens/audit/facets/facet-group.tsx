import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MARK_NAMES } from '../../../../actions/index.ts';
import type { AnswerOf } from '../../../../api/index.ts';
import { visibleText } from '../../../../protocol/index.ts';
import { type AuditFilter, useLedger } from '../../../api/ledger/ledger.ts';
import { ACTION_OUTCOMES } from '../../../components/action-marks.tsx';
import { AgentMark } from '../../../components/agent-mark.tsx';
import { Seen } from '../../../ui/seen.tsx';
import { count } from '../../../ui/time.tsx';
import { valueTerm } from '../terms.ts';
import { useTerms } from '../use-terms.ts';
import type { Facet } from './facet-fields.ts';
import { facetsAsked } from './facet-fields.ts';
import { FACET_GROUP } from './texts.ts';

type Answer = AnswerOf<'facets'>['facets'][number];

const KEY = 'countersign.facet';
/** As many values as the service counts at once. */
const ALL_VALUES = 50;

interface FacetGroupProps {
  readonly facet: Facet;
  readonly filter: AuditFilter;
  readonly answer: Answer;
  /** Whether the counts are of the search before, until those of this one come. */
  readonly isOfBefore: boolean;
}

/** The values of one field with their counts. */
export function FacetGroup({ facet, filter, answer, isOfBefore }: FacetGroupProps) {
  const key = `${KEY} ${facet.field}`;
  const [isOpen, setOpen] = useState(() => (localStorage.getItem(key) ?? String(facet.isOpen)) === 'true');
  const [isLong, setLong] = useState(false);
  const all = useQuery({ ...facetsAsked(useLedger(), filter, [facet], ALL_VALUES), enabled: isLong });
  const shown = (isLong ? all.data?.facets[0] : undefined) ?? answer;
  const highest = Math.max(1, ...shown.values.map((value) => value.count));
  const distinct = shown.values.length + shown.more;
  return (
    <details
      className={isOfBefore ? 'facet is-outdated' : 'facet'}
      open={isOpen}
      onToggle={({ currentTarget }) => {
        localStorage.setItem(key, String(currentTarget.open));
        setOpen(currentTarget.open);
      }}
    >
      <summary>
        <span className="ellipsis">
          <Seen text={facet.label} />
        </span>
        <span className="facet-distinct number">{count(distinct)}</span>
      </summary>
      <ul aria-label={visibleText(FACET_GROUP.valuesOf(facet.label))}>
        {shown.values.map((value) => (
          <FacetValue key={value.value} facet={facet} value={value} share={value.count / highest} />
        ))}
      </ul>
      {shown.more > 0 &&
        (isLong ? (
          <p className="facets-note muted">{FACET_GROUP.moreValues(count(shown.more))}</p>
        ) : (
          <button type="button" className="button-plain button-small facet-more" onClick={() => setLong(true)}>
            {FACET_GROUP.more(count(shown.more))}
          </button>
        ))}
    </details>
  );
}

/** The values that the page has words for; a search names them as the service does. */
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  outcome: ACTION_OUTCOMES,
  mark: MARK_NAMES,
};

interface FacetValueProps {
  readonly facet: Facet;
  readonly value: Answer['values'][number];
  readonly share: number;
}

function FacetValue({ facet, value: { value, count: records }, share }: FacetValueProps) {
  const { toggle, standing } = useTerms();
  const term = valueTerm(facet.of, value);
  const now = standing(term);
  return (
    <li className={now === null ? 'facet-value' : `facet-value is-${now}`}>
      <button
        type="button"
        className="facet-for"
        aria-pressed={now === 'with'}
        title={visibleText(FACET_GROUP.howToPick(value))}
        onClick={(event) => toggle(term, event.altKey ? 'without' : 'with')}
      >
        <span className="facet-share" style={{ inlineSize: `${Math.max(2, share * 100)}%` }} />
        {facet.field === 'agent' && <AgentMark agentId={value} />}
        <span className="ellipsis">
          <Seen text={WORDS[facet.field]?.[value] ?? value} />
        </span>
        <span className="facet-count number">{count(records)}</span>
      </button>
      <button
        type="button"
        className="facet-out"
        aria-pressed={now === 'without'}
        aria-label={visibleText(FACET_GROUP.withoutValue(facet.label, value))}
        title={FACET_GROUP.without}
        onClick={() => toggle(term, 'without')}
      >
        −
      </button>
    </li>
  );
}
