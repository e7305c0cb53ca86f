import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useId } from 'react';
import { visibleText } from '../../../protocol/index.ts';
import type { Case } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { casesQuery, q, sessionQuery } from '../../api/query.ts';
import { Answer, Failure } from '../../components/answer.tsx';
import { Form } from '../../components/form.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { COMPARED_WITH_LIVE } from '../../lib/search-params.ts';
import { CaseTitle } from './case-title.tsx';
import { ComparisonResult } from './comparison-result.tsx';
import { COMPARE_SCREEN } from './texts.ts';

const route = getRouteApi('/cases/$caseId/compare');

/** Holds a case against another, or against the live ledger. */
export function CompareScreen() {
  const { caseId } = route.useParams();
  const { id } = route.useSearch();
  const found = useQuery(q('getCase', { params: { case_id: caseId } }));
  return (
    <Screen
      name={COMPARE_SCREEN.titleOf(found.data?.name ?? '')}
      title={found.data && <CaseTitle of={found.data} part={COMPARE_SCREEN.title} />}
    >
      <Answer query={found} what={COMPARE_SCREEN.what}>
        {(of) => (
          <div className="stack">
            <Choice of={of} />
            {id !== undefined && <Compared of={of} comparisonId={id} />}
          </div>
        )}
      </Answer>
    </Screen>
  );
}

function Choice({ of }: { readonly of: Case }) {
  const field = useId();
  const { with: other = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const cases = useInfiniteQuery(casesQuery);
  const others = cases.data?.pages
    .flatMap(({ data }) => data)
    .filter(({ case_id, state }) => case_id !== of.case_id && state === 'ready');
  const hasLive = session != null && session.orgId !== null;
  const compare = useMutation({
    mutationFn: () =>
      call('compareCase', {
        params: { case_id: of.case_id },
        body: { with: other === COMPARED_WITH_LIVE ? { live: true } : { case_id: other } },
      }),
    onSuccess: async (begun) => {
      client.setQueryData(
        q('getComparison', { params: { case_id: of.case_id, comparison_id: begun.comparison_id } }).queryKey,
        begun,
      );
      await navigate({ search: { with: other, id: begun.comparison_id } });
    },
  });
  const submit = (): void => {
    compare.mutate();
  };
  return (
    <Form className="panel panel-body stack" label={COMPARE_SCREEN.title} act={submit}>
      <p>{COMPARE_SCREEN.explained}</p>
      <div className="cluster">
        <label htmlFor={field}>{COMPARE_SCREEN.compareWith}</label>
        <select
          id={field}
          data-filter
          required
          value={other}
          onChange={(event) =>
            void navigate({ search: { with: event.currentTarget.value || undefined }, replace: true })
          }
        >
          <option value="">…</option>
          {hasLive && <option value={COMPARED_WITH_LIVE}>{COMPARE_SCREEN.liveLedger}</option>}
          {others?.map(({ case_id, name }) => (
            <option key={case_id} value={case_id}>
              {visibleText(name)}
            </option>
          ))}
        </select>
        <PermittedButton
          call="compareCase"
          type="submit"
          className="button-primary"
          disabled={other === '' || compare.isPending}
        >
          {COMPARE_SCREEN.title}
        </PermittedButton>
      </div>
      {others?.length === 0 && !hasLive && <p className="muted">{COMPARE_SCREEN.noOtherCase}</p>}
      {compare.error !== null && <Failure error={compare.error} />}
    </Form>
  );
}

function Compared({ of, comparisonId }: { readonly of: Case; readonly comparisonId: string }) {
  const comparison = useQuery(q('getComparison', { params: { case_id: of.case_id, comparison_id: comparisonId } }));
  const cases = useInfiniteQuery(casesQuery);
  return (
    <Answer query={comparison} what={COMPARE_SCREEN.resultWhat}>
      {({ status, failure, result, with: other }) => {
        if (status === 'processing') {
          return (
            <section className="panel panel-body stack" aria-label={COMPARE_SCREEN.progress}>
              <h2 role="status">{COMPARE_SCREEN.comparing}</h2>
              <progress aria-label={COMPARE_SCREEN.comparing} />
            </section>
          );
        }
        if (result === null) return <Failure error={new Error(failure ?? 'The comparison came to nothing.')} />;
        const listed = cases.data?.pages.flatMap(({ data }) => data) ?? [];
        const compared = [of, ...listed.filter(({ case_id }) => 'case_id' in other && case_id === other.case_id)];
        return <ComparisonResult result={result} with={other} compared={compared} />;
      }}
    </Answer>
  );
}
