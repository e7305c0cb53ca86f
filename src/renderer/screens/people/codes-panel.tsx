import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { SCREENS } from '../../../api/index.ts';
import { visibleText } from '../../../protocol/index.ts';
import { pace } from '../../api/freshness.ts';
import { q } from '../../api/query.ts';
import { serviceAddress } from '../../api/service-address.ts';
import { copyText, Hash } from '../../components/hash.tsx';
import { Seen } from '../../ui/seen.tsx';
import { forgetCodes, useIssuedCodes } from './issued-codes.ts';
import { CODES_PANEL } from './texts.ts';

/** How often it is asked whether a code was used, in ms. */
const LOOK_MS = 10_000;

/** Where an invitation is accepted, with its code behind the `#`: that part never leaves the browser. */
function invitationLink(code: string): string {
  return `${serviceAddress()}/#/join?code=${encodeURIComponent(code)}`;
}

/** The codes of invitations that were just made, until they are used, put away, or the screen is left. */
export function CodesPanel() {
  const codes = useIssuedCodes();
  const { data, dataUpdatedAt } = useQuery({
    ...q('listInvitations'),
    enabled: codes.length > 0,
    refetchInterval: ({ state }) => pace(state, LOOK_MS),
  });
  useEffect(() => {
    const open = new Set(data?.invitations.map(({ invitation_id: id }) => id));
    for (const { invitationId, issuedAt } of data === undefined ? [] : codes) {
      // Used, ended or revoked by somebody else; a list from before the code came knows nothing of it.
      if (dataUpdatedAt > issuedAt && !open.has(invitationId)) forgetCodes(invitationId);
    }
  }, [codes, data, dataUpdatedAt]);
  useEffect(
    () => () => {
      if (!window.location.hash.startsWith(`#${SCREENS.people.path}`)) forgetCodes();
    },
    [],
  );
  if (codes.length === 0) return null;
  return (
    <section className="once" aria-label={CODES_PANEL.codes}>
      <strong>{codes.length === 1 ? CODES_PANEL.shownOnce : CODES_PANEL.shownOnceMany}</strong>
      <p className="note">{CODES_PANEL.howToGive}</p>
      <ul className="stack">
        {codes.map(({ invitationId, email, code }) => (
          <li key={invitationId} className="code-of">
            <Seen className="ellipsis" title={visibleText(email)} text={email} />
            <Hash value={code} what={CODES_PANEL.codeEmail(email)} />
            <button
              type="button"
              className="button-small"
              aria-label={visibleText(CODES_PANEL.copyLinkEmail(email))}
              onClick={() => void copyText(invitationLink(code), CODES_PANEL.linkEmail(email))}
            >
              {CODES_PANEL.copyLink}
            </button>
          </li>
        ))}
      </ul>
      <div className="cluster">
        <button type="button" onClick={() => forgetCodes()}>
          {CODES_PANEL.forget}
        </button>
      </div>
    </section>
  );
}
