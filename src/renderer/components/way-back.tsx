import { useLedger } from '../api/ledger/ledger.ts';
import { LedgerLink } from '../api/ledger/places.tsx';
import { useWayBack } from '../lib/way.ts';
import { Seen } from '../ui/seen.tsx';
import { WAY_BACK } from './texts.ts';

/** The first part of a title: the screen that somebody came from, or else the search. */
export function WayBackCrumb() {
  const { caseId } = useLedger();
  const way = useWayBack(caseId);
  return (
    <>
      {way === null ? (
        <LedgerLink to="/search" search={{}} className="crumb">
          {WAY_BACK.search}
        </LedgerLink>
      ) : (
        <a href={`#${way.href}`} className="crumb">
          <Seen text={way.label} />
        </a>
      )}{' '}
      <span className="crumb">/</span>
    </>
  );
}
