import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { quoted } from '../../../actions/index.ts';
import type { WorkSession } from '../../api/answers.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { Answer } from '../../components/answer.tsx';
import { useStop } from '../../components/waiting.tsx';
import { queryText } from '../../lib/query-text.ts';
import { useRested } from '../../lib/use-rested.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Time } from '../../ui/time.tsx';
import { SESSION_LIST, SESSION_VIEW } from './texts.ts';

/** Sessions that are offered. */
const MOST = 50;

/** Leads to this session side by side with another one: of its agent, or one that is searched for. */
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
  const [typed, setTyped] = useState('');
  const word = useRested(typed.trim());
  const [agent] = of.agents;
  const ofAgent = agent === undefined ? undefined : queryText({ agent });
  // As one types, the last word is only begun.
  const query = word === '' ? ofAgent : `${quoted(word)}*`;
  const asked = q('sessions', { body: { query, order: 'newest', limit: MOST + 1 } });
  const found = useQuery({ ...asked, placeholderData: keepPreviousData });
  const stop = useStop([asked.queryKey], found.isFetching);
  const isOfAgent = word === '';
  return (
    <>
      <TextField label={SESSION_VIEW.otherContains} spellCheck={false} value={typed} onChange={setTyped} />
      <Answer query={found} what={SESSION_LIST.what} stop={stop}>
        {({ data }) => {
          const others = data.filter(({ session }) => session !== of.session).slice(0, MOST);
          if (others.length === 0) return <p>{isOfAgent ? SESSION_VIEW.noOther : SESSION_VIEW.noneWith}</p>;
          return (
            <>
              <p className="muted">{isOfAgent ? SESSION_VIEW.others : SESSION_VIEW.othersWith}</p>
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
    </>
  );
}
