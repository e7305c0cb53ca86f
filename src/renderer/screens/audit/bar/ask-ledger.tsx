import { useState } from 'react';
import { useLedger } from '../../../api/ledger/ledger.ts';
import { ledgerScreen } from '../../../api/ledger/places.tsx';
import { useRefusal } from '../../../api/permission.ts';
import { searchOfTyped } from '../../../lib/typed-query.ts';
import { useQueryContext } from '../use-terms.ts';
import { QueryBox } from './query-box.tsx';
import { QueryHelp } from './query-help.tsx';
import { ASK_LEDGER } from './texts.ts';

const route = ledgerScreen('/search');

/** The query on the first screen of a ledger, for people who may search: what is typed is searched for. */
export function AskLedger() {
  const { routeOf } = useLedger();
  const isLocked = useRefusal(routeOf('auditQuery')) !== null;
  const navigate = route.useNavigate();
  const context = useQueryContext();
  const [asked, setAsked] = useState('');
  if (isLocked) return null;
  const apply = (line: string): void => {
    setAsked(line);
    const search = line === '' ? null : searchOfTyped(line, context.zone);
    if (search !== null) void navigate({ to: '/search', search });
  };
  return (
    <search className="ask-ledger" aria-label={ASK_LEDGER.search}>
      <div className="search-line">
        <QueryBox query={asked} mayGroup apply={apply} onUnreadable={() => undefined} />
        <QueryHelp />
      </div>
    </search>
  );
}
