import { LIMITS, LOOK_KINDS, type LookKind } from '../../../api/index.ts';
import { ledgerScreen } from '../../api/ledger/places.tsx';
import { Answer } from '../../components/answer.tsx';
import { CoverageMark } from '../../components/coverage-mark.tsx';
import { LookList } from '../../components/needs-look/look-list.tsx';
import { LOOK_KIND_NAMES, NEEDS_LOOK as TEXTS } from '../../components/needs-look/texts.ts';
import { useNeedsLook } from '../../components/needs-look/use-needs-look.ts';
import { Screen } from '../../components/screen.tsx';
import { TimeMenu } from '../../components/time-menu/time-menu.tsx';
import { Panel } from '../../ui/panel.tsx';
import { count } from '../../ui/time.tsx';

const screen = ledgerScreen('/needs-look');

/** All that needs a look, by kind. */
export function NeedsLookScreen() {
  const { kind } = screen.useSearch();
  const navigate = screen.useNavigate();
  const { query, items, isSeen, mark, others, renew } = useNeedsLook(LIMITS.page.max, kind);
  return (
    <Screen title={TEXTS.title} name={TEXTS.title} actions={<TimeMenu />}>
      <div className="stack">
        <p className="muted">{TEXTS.rule}</p>
        <Answer query={query} what={TEXTS.what}>
          {({ kinds, total, unseen, coverage }) => (
            <Panel
              title={TEXTS.unseen(unseen, count(total))}
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
                        {TEXTS.ofKind(
                          LOOK_KIND_NAMES[one],
                          count(kinds.find((counted) => counted.kind === one)?.count ?? 0),
                        )}
                      </option>
                    ),
                  )}
                </select>
              }
            >
              {total === 0 && <p className="loading">{TEXTS.nothing}</p>}
              {others > 0 && (
                <button type="button" className="button-quiet look-more" onClick={renew}>
                  {TEXTS.newOnes(others)}
                </button>
              )}
              <LookList items={items} isSeen={isSeen} mark={mark} />
              <CoverageMark coverage={coverage} />
            </Panel>
          )}
        </Answer>
      </div>
    </Screen>
  );
}
