import { useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import { type AuditFilter, useLedger } from '../../../api/ledger/ledger.ts';
import { Icon } from '../../../ui/icons.tsx';
import { ScrollArea } from '../../../ui/scroll-area.tsx';
import { FACETS_AT_ONCE, type Facet, facetsAsked, facetsOf } from './facet-fields.ts';
import { FacetGroup } from './facet-group.tsx';
import { FACETS } from './texts.ts';

const atMost = (em: number): string => `(max-width: ${em}em)`;

/** @param em as style sheets have it: a pixel is not what somebody sees of one whose text is of twice the size */
function isNarrow(em: number): boolean {
  return matchMedia(atMost(em)).matches;
}

/** Whether the window is at most so wide, and again whenever that changes. @param em as of isNarrow */
function useIsNarrow(em: number): boolean {
  const query = atMost(em);
  const subscribe = useCallback(
    (tell: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', tell);
      return () => list.removeEventListener('change', tell);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => isNarrow(em));
}

const KEY = 'countersign.facets';
/** Where they stand above the list, as facets.css has it. */
const STACKED = 56;

/** In a narrow window the list needs the room, until somebody unfolds them. */
function isShownAtFirst(): boolean {
  return (localStorage.getItem(KEY) ?? (isNarrow(62) ? 'hidden' : 'shown')) === 'shown';
}

interface FacetsProps {
  readonly filter: AuditFilter;
}

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}

/** How often values occur among what is found; a click filters by one. */
export function Facets({ filter }: FacetsProps) {
  const isStacked = useIsNarrow(STACKED);
  const [isShownBeside, setShownBeside] = useState(isShownAtFirst);
  // Above the results they are in the way of these: folded whatever was chosen for next to them, and again the next time.
  const [isShownAbove, setShownAbove] = useState(false);
  const isShown = isStacked ? isShownAbove : isShownBeside;
  const show = (next: boolean): void => {
    if (isStacked) {
      setShownAbove(next);
      return;
    }
    localStorage.setItem(KEY, next ? 'shown' : 'hidden');
    setShownBeside(next);
  };
  return (
    <section className={isShown ? 'facets' : 'facets is-folded'} aria-label={FACETS.values}>
      <button
        type="button"
        className="button-plain facets-toggle"
        aria-expanded={isShown}
        title={isShown ? FACETS.hideValues : FACETS.showValues}
        onClick={() => show(!isShown)}
      >
        <Icon name={isShown ? (isStacked ? 'down' : 'left') : 'right'} />
        <span className="facets-toggle-label">{FACETS.values}</span>
      </button>
      {isShown && <Groups filter={filter} />}
    </section>
  );
}

const VALUES = 10;

function Groups({ filter }: FacetsProps) {
  const ledger = useLedger();
  const rules = useQuery(ledger.q('investigationRules'));
  const facets = useMemo(() => facetsOf(rules.data?.rules), [rules.data]);
  const { answers, error } = useQueries({
    queries: chunksOf(facets, FACETS_AT_ONCE).map((some) => ({
      ...facetsAsked(ledger, filter, some, VALUES),
      enabled: !rules.isPending,
    })),
    combine: (all) => ({
      answers: all.flatMap(({ data, isPlaceholderData }) =>
        (data?.facets ?? []).map((answer) => ({ ...answer, isOfBefore: isPlaceholderData })),
      ),
      error: all.find((one) => one.error !== null)?.error ?? null,
    }),
  });
  if (error !== null) return <p className="facets-note muted">{FACETS.failed}</p>;
  const hasAny = (facet: Facet) => answers.some(({ field, values }) => field === facet.field && values.length > 0);
  return (
    <ScrollArea className="facets-groups" label={FACETS.title}>
      {facets.filter(hasAny).map((facet) => {
        const answer = answers.find(({ field }) => field === facet.field);
        return answer === undefined ? null : (
          <FacetGroup key={facet.field} facet={facet} filter={filter} answer={answer} isOfBefore={answer.isOfBefore} />
        );
      })}
    </ScrollArea>
  );
}
