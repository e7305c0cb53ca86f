import { type AnswerOf, LIMITS, LOOK_KINDS, type LookKind } from '../../../api/index.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { ledgerScreen } from '../../api/ledger/places.tsx';
import { useAnnotateRefusal } from '../../components/annotations/use-annotation.ts';
import { Answer } from '../../components/answer.tsx';
import { CoverageMark } from '../../components/coverage-mark.tsx';
import { LookList } from '../../components/needs-look/look-list.tsx';
import { LOOK_KIND_NAMES, NEEDS_LOOK as TEXTS } from '../../components/needs-look/texts.ts';
import { useNeedsLook } from '../../components/needs-look/use-needs-look.ts';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { TimeMenu } from '../../components/time-menu/time-menu.tsx';
import { Panel } from '../../ui/panel.tsx';
import { count } from '../../ui/time.tsx';

const screen = ledgerScreen('/needs-look');

type Counted = Pick<AnswerOf<'needsLook'>, 'total' | 'unseen'>;

/** How many items there are of one kind. */
function countOf(kinds: AnswerOf<'needsLook'>['kinds'], kind: LookKind): Counted {
  const { count: total = 0, unseen = 0 } = kinds.find((counted) => counted.kind === kind) ?? {};
  return { total, unseen };
}

function titleOf({ total, unseen }: Counted): string {
  return TEXTS.unseen(unseen, count(total));
}

/** All that needs a look, by kind. */
export function NeedsLookScreen() {
  const { kind } = screen.useSearch();
  const navigate = screen.useNavigate();
  const { query, items, isSeen, mark, others, renew, more } = useNeedsLook(LIMITS.page.max, kind);
  const { routeOf } = useLedger();
  const refusal = useAnnotateRefusal();
  const unseen = items.filter((item) => !isSeen(item));
  return (
    <Screen title={TEXTS.title} name={TEXTS.title} actions={<TimeMenu />}>
      <div className="stack">
        <p className="muted">{TEXTS.rule}</p>
        <Answer query={query} what={TEXTS.what}>
          {({ kinds, coverage, hasMore, ...all }) => (
            <Panel
              title={titleOf(kind === undefined ? all : countOf(kinds, kind))}
              flush
              actions={
                <select
                  aria-label={TEXTS.kind}
                  data-filter
                  value={kind ?? ''}
                  onChange={({ currentTarget: { value } }) =>
                    void navigate({
                      search: (before) => ({ ...before, kind: value === '' ? undefined : (value as LookKind) }),
                      replace: true,
                    })
                  }
                >
                  <option value="">{TEXTS.allKinds}</option>
                  {LOOK_KINDS.filter((one) => one === kind || kinds.some((counted) => counted.kind === one)).map(
                    (one) => (
                      <option key={one} value={one}>
                        {TEXTS.ofKind(LOOK_KIND_NAMES[one], count(countOf(kinds, one).total))}
                      </option>
                    ),
                  )}
                </select>
              }
            >
              {(kind === undefined ? all : countOf(kinds, kind)).total === 0 && (
                <p className="loading">{TEXTS.nothing}</p>
              )}
              {others > 0 && (
                <button type="button" className="button-quiet look-more" onClick={renew}>
                  {TEXTS.newOnes(others)}
                </button>
              )}
              {unseen.length > 1 && (
                <PermittedButton
                  call={routeOf('markLooked')}
                  reason={refusal}
                  className="button-quiet look-more"
                  disabled={mark.isPending}
                  onClick={() => mark.mutate({ itemIds: unseen.map(({ item_id }) => item_id), seen: true })}
                >
                  {TEXTS.allBelow(unseen.length)}
                </PermittedButton>
              )}
              <LookList items={items} isSeen={isSeen} mark={mark} />
              {hasMore && (
                <button type="button" className="button-quiet" disabled={query.isFetching} onClick={() => void more()}>
                  {TEXTS.more}
                </button>
              )}
              <CoverageMark coverage={coverage} />
            </Panel>
          )}
        </Answer>
      </div>
    </Screen>
  );
}
