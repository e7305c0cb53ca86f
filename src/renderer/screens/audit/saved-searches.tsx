import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { LIMITS, type SavedSearch } from '../../../api/index.ts';
import { visibleText } from '../../../protocol/index.ts';
import { sentenceOf } from '../../api/call.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { Answer } from '../../components/answer.tsx';
import { Form } from '../../components/form.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { type AuditSearch, auditSearch } from '../../lib/search-params.ts';
import { Icon } from '../../ui/icons.tsx';
import { PopoverMenu } from '../../ui/popover-menu.tsx';
import { Seen } from '../../ui/seen.tsx';
import { toast } from '../../ui/toasts.tsx';
import { SAVED_SEARCHES } from './texts.ts';

/** A search under a name, as it was kept in this browser before the service kept them. */
interface BrowserSearch {
  readonly name: string;
  readonly search: AuditSearch;
}

const KEY = 'countersign.searches';
const stored = z.array(z.object({ name: z.string(), search: auditSearch })).catch([]);

/** The searches that are still in this browser. */
function browserSearches(): readonly BrowserSearch[] {
  try {
    return stored.parse(JSON.parse(localStorage.getItem(KEY) ?? '[]'));
  } catch (error) {
    // Somebody else's text under our key is no search.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function forgetBrowserSearches(): void {
  localStorage.removeItem(KEY);
}

const route = ledgerScreen('/search');

/** All records with a bookmark. */
const BOOKMARKED: AuditSearch = { query: 'bookmarked = true' };

/** A search as it is kept: the selected row is of the moment. */
function kept({ selected: _, part: __, ...search }: AuditSearch): AuditSearch {
  return JSON.parse(JSON.stringify(search)) as AuditSearch;
}

/** The searches that the organization or case has under a name. */
export function SavedSearches({ search }: { readonly search: AuditSearch }) {
  return (
    <PopoverMenu label={SAVED_SEARCHES.savedSearches}>
      <List search={search} />
    </PopoverMenu>
  );
}

function List({ search }: { readonly search: AuditSearch }) {
  const { caseId, call, q, invalidate, routeOf } = useLedger();
  const searches = useQuery(q('savedSearches'));
  const [name, setName] = useState('');
  const renew = () => invalidate('savedSearches');
  const save = useMutation({
    mutationFn: (one: BrowserSearch) => call('saveSearch', { body: { name: one.name, search: kept(one.search) } }),
    onError: (error) => toast(sentenceOf(error), 'failed'),
    onSettled: renew,
  });
  const submit = (): void => {
    save.mutate({ name, search }, { onSuccess: () => setName('') });
  };
  return (
    <>
      <LedgerLink to="/search" search={BOOKMARKED} className="inline-row">
        <Icon name="bookmark" /> {SAVED_SEARCHES.bookmarked}
      </LedgerLink>
      <Answer query={searches} what={SAVED_SEARCHES.what}>
        {({ searches: found }) =>
          found.length === 0 ? (
            <p className="muted">{caseId === null ? SAVED_SEARCHES.noneInOrganization : SAVED_SEARCHES.noneInCase}</p>
          ) : (
            <ul className="saved-searches" aria-label={SAVED_SEARCHES.savedSearches}>
              {found.map((saved) => (
                <SavedRow key={saved.search_id} saved={saved} renew={renew} />
              ))}
            </ul>
          )
        }
      </Answer>
      {caseId === null && <FromBrowser save={(one) => save.mutateAsync(one)} />}
      <Form className="cluster" act={submit}>
        <input
          aria-label={SAVED_SEARCHES.name}
          placeholder={SAVED_SEARCHES.name}
          required
          maxLength={LIMITS.savedSearchName}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <PermittedButton call={routeOf('saveSearch')} type="submit" disabled={save.isPending}>
          {SAVED_SEARCHES.save}
        </PermittedButton>
      </Form>
    </>
  );
}

interface SavedRowProps {
  readonly saved: SavedSearch;
  readonly renew: () => Promise<void>;
}

function SavedRow({ saved: { search_id, name, search }, renew }: SavedRowProps) {
  const { call, routeOf } = useLedger();
  const navigate = route.useNavigate();
  const forget = useMutation({
    mutationFn: () => call('deleteSearch', { params: { search_id } }),
    onError: (error) => toast(sentenceOf(error), 'failed'),
    onSettled: renew,
  });
  return (
    <li className="cluster">
      <button
        type="button"
        className="button-plain"
        onClick={() => void navigate({ search: auditSearch.parse(search) })}
      >
        <Seen text={name} />
      </button>
      <PermittedButton
        call={routeOf('deleteSearch')}
        className="button-small push"
        aria-label={visibleText(SAVED_SEARCHES.deleteNamed(name))}
        disabled={forget.isPending}
        onClick={() => forget.mutate()}
      >
        ×
      </PermittedButton>
    </li>
  );
}

/** Offers once to move the searches that were kept in this browser until now. */
function FromBrowser({ save }: { readonly save: (one: BrowserSearch) => Promise<unknown> }) {
  const [searches, setSearches] = useState(browserSearches);
  if (searches.length === 0) return null;
  const forget = (): void => {
    forgetBrowserSearches();
    setSearches([]);
  };
  const move = async (): Promise<void> => {
    try {
      for (const one of searches) await save(one);
      toast(SAVED_SEARCHES.moved(searches.length));
      forget();
    } catch {
      // Said where it was saved; what was moved is replaced at the next try.
    }
  };
  return (
    <div className="from-browser">
      <p>{SAVED_SEARCHES.inBrowserOnly(searches.length)}</p>
      <p className="muted">
        <Seen text={searches.map(({ name }) => name).join(', ')} />
      </p>
      <div className="cluster">
        <button type="button" className="button-small" onClick={() => void move()}>
          {SAVED_SEARCHES.move}
        </button>
        <button type="button" className="button-small" onClick={forget}>
          {SAVED_SEARCHES.deleteHere}
        </button>
      </div>
    </div>
  );
}
