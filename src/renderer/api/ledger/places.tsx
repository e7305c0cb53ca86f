import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import type {
  DifferenceSearch,
  EntitiesSearch,
  NeedsLookSearch,
  SessionsSearch,
  WhatLeftSearch,
} from '../../lib/investigation-params.ts';
import type { AgentsSearch, AuditSearch, ChainSearch, EpochSearch, OperationSearch } from '../../lib/search-params.ts';
import { type Ledger, useLedger } from './ledger.ts';

type NoSearch = Readonly<Record<string, never>>;

/** The screens that there are of every ledger. */
interface Places {
  '/agents': { readonly params?: undefined; readonly search: AgentsSearch };
  '/agents/$agentId': { readonly params: { readonly agentId: string }; readonly search: NoSearch };
  '/agents/$agentId/chain': { readonly params: { readonly agentId: string }; readonly search: ChainSearch };
  '/search': { readonly params?: undefined; readonly search: AuditSearch };
  '/operations/$operationId': { readonly params: { readonly operationId: string }; readonly search: OperationSearch };
  '/epochs': { readonly params?: undefined; readonly search: NoSearch };
  '/epochs/$epochId': { readonly params: { readonly epochId: string }; readonly search: EpochSearch };
  '/sessions': { readonly params?: undefined; readonly search: SessionsSearch };
  '/entities': { readonly params?: undefined; readonly search: EntitiesSearch };
  '/what-left': { readonly params?: undefined; readonly search: WhatLeftSearch };
  '/needs-look': { readonly params?: undefined; readonly search: NeedsLookSearch };
  '/difference': { readonly params?: undefined; readonly search: DifferenceSearch };
  '/reading-rules': { readonly params?: undefined; readonly search: NoSearch };
}
export type LedgerPath = keyof Places;
type SearchOf<P extends LedgerPath> = Places[P]['search'];
type SearchChange<P extends LedgerPath> = SearchOf<P> | ((before: SearchOf<P>) => SearchOf<P>);

/** A screen of the ledger at hand, with what it shows. */
export type Place<P extends LedgerPath> = {
  readonly to: P;
  readonly search?: SearchChange<P>;
  readonly replace?: boolean;
} & Pick<Places[P], 'params'>;

/** The same screen with another search. */
interface OtherSearch<P extends LedgerPath> {
  readonly to?: undefined;
  readonly search: SearchChange<P>;
  readonly replace?: boolean;
}

/** Goes to a screen of the ledger at hand, or stays and changes what it shows. */
interface Navigate<P extends LedgerPath> {
  (other: OtherSearch<P>): Promise<void>;
  <Q extends LedgerPath>(place: Place<Q>): Promise<void>;
}

/** A place without the types that tell one from another. */
interface AnyPlace {
  readonly to?: LedgerPath | undefined;
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly search?: unknown;
  readonly replace?: boolean | undefined;
}

/**
 * A place as the router has it. Screens over a case have the same addresses below the case's own, so that its links stay
 * in it; to the router's types these are other routes, which is why they are plain text here.
 */
export function addressOf({ caseId }: Pick<Ledger, 'caseId'>, { to, params, search = {}, replace = false }: AnyPlace) {
  const address = { search: search as Record<string, unknown>, replace };
  const names: Record<string, string> = { ...params, ...(caseId === null ? {} : { caseId }) };
  if (to === undefined) return { ...address, to: '.', params: true as const };
  return { ...address, to: caseId === null ? (to as string) : `/cases/$caseId${to}`, params: names };
}

/** The case whose screens an address is one of; null for all others. */
export function caseOfPath(path: string): string | null {
  return /^\/cases\/([0-9a-f-]{36})(?:\/|$)/.exec(path)?.[1] ?? null;
}

/** What a screen over any ledger reads of its address, and how it continues from there. */
export function ledgerScreen<P extends LedgerPath>(_path: P) {
  return {
    useParams: () => useParams({ strict: false }) as unknown as NonNullable<Places[P]['params']>,
    useSearch: () => useSearch({ strict: false }) as unknown as SearchOf<P>,
    useNavigate: (): Navigate<P> => {
      const ledger = useLedger();
      const navigate = useNavigate();
      return useCallback((place: AnyPlace) => navigate(addressOf(ledger, place)), [ledger, navigate]);
    },
  };
}

type LinkProps<P extends LedgerPath> = Place<P> & {
  readonly className?: string;
  readonly title?: string;
  /** What it is called, where its parts read otherwise. */
  readonly label?: string;
  readonly tabIndex?: number;
  /** Whether only keys of the page lead along it. */
  readonly isHidden?: boolean;
  readonly onFocus?: () => void;
  readonly children: ReactNode;
  readonly 'data-row'?: boolean;
  readonly 'data-open'?: boolean;
};

/** A link to a screen of the ledger at hand. */
export function LedgerLink<P extends LedgerPath>({
  to,
  params,
  search,
  replace,
  isHidden = false,
  label,
  ...anchor
}: LinkProps<P>) {
  const ledger = useLedger();
  return (
    <Link {...addressOf(ledger, { to, params, search, replace })} {...anchor} aria-label={label} hidden={isHidden} />
  );
}
