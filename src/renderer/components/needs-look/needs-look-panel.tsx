import { useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { useRefusal } from '../../api/permission.ts';
import { Panel } from '../../ui/panel.tsx';
import { count } from '../../ui/time.tsx';
import { Answer } from '../answer.tsx';
import { CoverageMark } from '../coverage-mark.tsx';
import { LookList } from './look-list.tsx';
import { LOOK_KIND_NAMES, NEEDS_LOOK as TEXTS } from './texts.ts';
import { useNeedsLook } from './use-needs-look.ts';

const SHOWN = 5;

/** What needs a look first, on the dashboard and above the verdict of a case; nothing for people who may not search. */
export function NeedsLookPanel() {
  const { routeOf } = useLedger();
  return useRefusal(routeOf('needsLook')) === null ? <Shown /> : null;
}

function Shown() {
  const { query, items, isSeen, mark, others, renew } = useNeedsLook(SHOWN);
  return (
    <Panel
      title={TEXTS.title}
      flush
      actions={
        <>
          {query.data !== undefined && (
            <span className="muted">{TEXTS.unseen(query.data.unseen, count(query.data.total))}</span>
          )}
          <LedgerLink to="/what-left" search={{}}>
            {TEXTS.whatLeft}
          </LedgerLink>
          <LedgerLink to="/needs-look" search={{}}>
            {TEXTS.all}
          </LedgerLink>
        </>
      }
    >
      <Answer query={query} what={TEXTS.what}>
        {({ kinds, total, unseen, coverage }) => (
          <>
            {kinds.length > 1 && unseen > 0 && (
              <p className="look-kinds">
                {kinds
                  .filter((counted) => counted.unseen > 0)
                  .map((counted) => (
                    <LedgerLink key={counted.kind} to="/needs-look" search={{ kind: counted.kind }}>
                      {TEXTS.ofKind(LOOK_KIND_NAMES[counted.kind], count(counted.unseen))}
                    </LedgerLink>
                  ))}
              </p>
            )}
            {total === 0 && <p className="loading">{TEXTS.nothing}</p>}
            {total > 0 && unseen === 0 && <p className="loading">{TEXTS.allSeen}</p>}
            <LookList items={items.slice(0, SHOWN)} isSeen={isSeen} mark={mark} />
            {others > 0 && (
              <button type="button" className="button-quiet look-more" onClick={renew}>
                {TEXTS.newOnes(others)}
              </button>
            )}
            <CoverageMark coverage={coverage} />
          </>
        )}
      </Answer>
    </Panel>
  );
}
