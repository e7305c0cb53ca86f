import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkSession } from '../../api/answers.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { Answer } from '../../components/answer.tsx';
import { queryText } from '../../lib/query-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Time } from '../../ui/time.tsx';
import { SESSION_VIEW } from './texts.ts';

/** Sessions that are offered. */
const MOST = 50;

/** Leads to this session side by side with another one of its agent. */
export function CompareWithSession({ of }: { readonly of: WorkSession }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {SESSION_VIEW.compareWith}
      </button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={SESSION_VIEW.compareTitle}>
        {isOpen && <Others of={of} />}
      </Dialog>
    </>
  );
}

function Others({ of }: { readonly of: WorkSession }) {
  const { q } = useLedger();
  const [agent] = of.agents;
  const query = agent === undefined ? undefined : queryText({ agent });
  const found = useQuery(q('sessions', { body: { query, order: 'newest', limit: MOST + 1 } }));
  return (
    <Answer query={found} what={SESSION_VIEW.sessions}>
      {({ data }) => {
        const others = data.filter(({ session }) => session !== of.session).slice(0, MOST);
        if (others.length === 0) return <p>{SESSION_VIEW.noOther}</p>;
        return (
          <>
            <p className="muted">{SESSION_VIEW.others}</p>
            <ul className="other-sessions">
              {others.map(({ session, begins_with: text, first_at }) => (
                <li key={session}>
                  <LedgerLink to="/sessions" search={{ session: of.session, with: session }}>
                    <Seen text={session} />
                  </LedgerLink>{' '}
                  <span className="muted">
                    <Time value={first_at} hasZone />
                  </span>
                  {text !== null && (
                    <div className="ellipsis">
                      <Seen text={text} />
                    </div>
                  )}
                </li>
              ))}
            </ul>
          </>
        );
      }}
    </Answer>
  );
}
