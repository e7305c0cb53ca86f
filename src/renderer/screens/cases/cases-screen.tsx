import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { containsFolded } from '../../../actions/index.ts';
import { visibleText } from '../../../protocol/index.ts';
import type { Case } from '../../api/answers.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { useRefusal } from '../../api/permission.ts';
import { casesQuery, q } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { isReadyForMore } from '../../api/use-pages.ts';
import { Answer } from '../../components/answer.tsx';
import { FilterInput } from '../../components/filter-input.tsx';
import { KeyFingerprint, OrganizationLabel } from '../../components/fingerprint.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { fill } from '../../lib/fill.ts';
import { sizeText } from '../../lib/size.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { type SortedColumn, SortedTable } from '../../ui/sorted-table.tsx';
import { count, Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { CaseMark } from './case-marks.tsx';
import { CASES_SCREEN, TRUSTED_ISSUERS } from './texts.ts';
import { PinnedBy } from './trust-basis.tsx';

/** Whom the user of this machine trusts, and a way to trust somebody no longer. */
function TrustedIssuers() {
  const [isOpen, setOpen] = useState(false);
  const store = useQuery({ ...q('listTrust'), enabled: isOpen });
  const remove = useMutation({
    mutationFn: (kid: string) => call('removeTrust', { params: { kid } }),
    onSuccess: () => toast(TRUSTED_ISSUERS.removed),
    onError: (error) => toast(sentenceOf(error), 'failed'),
    onSettled: () => invalidate('listTrust'),
  });
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {TRUSTED_ISSUERS.trustedIssuers}
      </button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={TRUSTED_ISSUERS.trustedIssuers}
        className="dialog-wide"
      >
        <Answer query={store} what={TRUSTED_ISSUERS.what}>
          {({ enabled, trusted }) => (
            <>
              <p className="muted">{enabled ? TRUSTED_ISSUERS.intro : TRUSTED_ISSUERS.noStore}</p>
              {enabled && trusted.length === 0 && <p>{TRUSTED_ISSUERS.none}</p>}
              <ul className="issuers">
                {trusted.map((key) => {
                  const name = key.label ?? key.organizations[0]?.org_name ?? TRUSTED_ISSUERS.withoutName;
                  return (
                    <li key={key.kid}>
                      <div>
                        <strong>
                          <Seen text={name} />
                        </strong>
                        <KeyFingerprint kid={key.kid} />
                        {key.organizations.map(({ org_id: id, org_name: called, resembles_home: resemblesHome }) => (
                          <p key={id}>
                            {fill(TRUSTED_ISSUERS.forOrganization, {
                              organization: (
                                <OrganizationLabel orgId={id} name={called} resemblesHome={resemblesHome} />
                              ),
                            })}
                          </p>
                        ))}
                        <p className="muted">
                          {fill(TRUSTED_ISSUERS.trustedSince, {
                            addedAt: <Time value={key.added_at} hasZone />,
                            confirmedBy: <PinnedBy by={key.pinned_by} />,
                          })}
                        </p>
                      </div>
                      <PermittedButton
                        call="removeTrust"
                        type="button"
                        aria-label={visibleText(TRUSTED_ISSUERS.removeNamed(name))}
                        disabled={remove.isPending}
                        onClick={() => remove.mutate(key.kid)}
                      >
                        {TRUSTED_ISSUERS.remove}
                      </PermittedButton>
                    </li>
                  );
                })}
              </ul>
            </>
          )}
        </Answer>
        <button type="button" onClick={() => setOpen(false)}>
          {TRUSTED_ISSUERS.close}
        </button>
      </Dialog>
    </>
  );
}

const route = getRouteApi('/cases');

/** All cases that the caller sees. */
export function CasesScreen() {
  const { filter = '', sort = '-imported' } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(casesQuery);
  const { hasNextPage, fetchNextPage } = query;
  const isReady = isReadyForMore(query);
  useEffect(() => {
    // They are sorted here, which takes all of them.
    if (hasNextPage && isReady) void fetchNextPage();
  }, [hasNextPage, isReady, fetchNextPage]);
  const actions = (
    <>
      <TrustedIssuers />
      <ImportLink />
    </>
  );
  return (
    <Screen title={CASES_SCREEN.cases} name={CASES_SCREEN.cases} flush actions={actions}>
      <Answer query={query} what={CASES_SCREEN.what}>
        {({ pages }) => {
          const cases = pages.flatMap(({ data }) => data);
          if (cases.length === 0) return <NoCase />;
          const shown = cases.filter((of) =>
            containsFolded(`${of.name} ${of.file_name} ${of.report?.bundle.org_name ?? ''}`, filter),
          );
          return (
            <>
              <div className="filters">
                <FilterInput
                  placeholder={CASES_SCREEN.filter}
                  size={36}
                  value={filter}
                  onChange={(typed) =>
                    void navigate({ search: (before) => ({ ...before, filter: typed }), replace: true })
                  }
                />
              </div>
              <SortedTable
                label={CASES_SCREEN.cases}
                columns={COLUMNS}
                rows={shown}
                keyOf={({ case_id }) => case_id}
                sort={sort}
                onSort={(by) => void navigate({ search: (before) => ({ ...before, sort: by }), replace: true })}
                foot={
                  shown.length === cases.length
                    ? CASES_SCREEN.counted(cases.length)
                    : CASES_SCREEN.shownOf(count(shown.length), cases.length)
                }
              />
            </>
          );
        }}
      </Answer>
    </Screen>
  );
}

/** The way to the import, or a lock with the reason where the role lacks it. */
function ImportLink() {
  if (useRefusal('createCase') !== null)
    return <PermittedButton call="createCase">{CASES_SCREEN.importCase}</PermittedButton>;
  return (
    <Link to="/cases/new" className="button button-primary">
      {CASES_SCREEN.importCase}
    </Link>
  );
}

function NoCase() {
  return (
    <Empty title={CASES_SCREEN.noCase}>
      <p>{CASES_SCREEN.explained}</p>
      <ol className="teach">
        <li>{CASES_SCREEN.stepDrop}</li>
        <li>{CASES_SCREEN.stepLook}</li>
        <li>{CASES_SCREEN.stepImport}</li>
        <li>{CASES_SCREEN.stepCompare}</li>
      </ol>
      <ImportLink />
    </Empty>
  );
}

/** What most needs to be looked at comes first. */
const GRAVITY = ['failed', 'incomplete', 'verified'];

function recordsOf({ report, archive }: Case): number | null {
  return archive?.records ?? report?.bundle.records ?? null;
}

const COLUMNS: readonly SortedColumn<Case>[] = [
  {
    id: 'name',
    label: CASES_SCREEN.case,
    value: ({ name }) => name,
    cell: ({ case_id: caseId, name }) => (
      <Link to="/cases/$caseId" params={{ caseId }} data-row>
        <Seen text={name} />
      </Link>
    ),
  },
  {
    id: 'verdict',
    label: CASES_SCREEN.verdict,
    value: ({ state, verdict }) => (state === 'ready' && verdict !== null ? GRAVITY.indexOf(verdict) : null),
    cell: (of) => <CaseMark of={of} />,
  },
  {
    id: 'organization',
    label: CASES_SCREEN.organization,
    value: ({ report }) => report?.bundle.org_name ?? null,
    cell: ({ report, resembles_home: resemblesHome }) => {
      const { org_id: orgId = null, org_name: name = null } = report?.bundle ?? {};
      return <OrganizationLabel orgId={orgId} name={name} resemblesHome={resemblesHome} />;
    },
  },
  {
    id: 'records',
    label: CASES_SCREEN.records,
    isRight: true,
    beginsDown: true,
    value: recordsOf,
    cell: (of) => {
      const records = recordsOf(of);
      return records === null ? '–' : count(records);
    },
  },
  {
    id: 'size',
    label: CASES_SCREEN.file,
    isRight: true,
    beginsDown: true,
    value: ({ bytes }) => bytes,
    cell: ({ bytes }) => sizeText(bytes),
  },
  {
    id: 'imported',
    label: CASES_SCREEN.importedUtc,
    beginsDown: true,
    value: ({ created_at }) => Date.parse(created_at),
    cell: ({ created_at }) => <Time value={created_at} />,
  },
];
