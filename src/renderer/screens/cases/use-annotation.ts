import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, sentenceOf } from '../../api/call.ts';
import { annotationQuery, caseQuery, tagsQuery } from '../../api/case-queries.ts';
import { KEYS } from '../../api/keys.ts';
import { caseLedger } from '../../api/ledger/ledger.ts';
import { useCaseRefusal } from '../../api/permission.ts';
import { toast } from '../../ui/toasts.tsx';

/** What is changed of an annotation; what is left out stays. */
interface Change {
  readonly tags?: readonly string[];
  readonly note?: string;
}

/** Tags and note of a record of a case, and the way to change them. */
export function useAnnotation(caseId: string, operationId: string) {
  const client = useQueryClient();
  const annotation = useQuery(annotationQuery(caseId, operationId));
  const all = useQuery(tagsQuery(caseId));
  const change = useMutation({
    mutationFn: (body: Change) => call('annotate', { params: { case_id: caseId, operation_id: operationId }, body }),
    onSuccess: async (saved) => {
      client.setQueryData(annotationQuery(caseId, operationId).queryKey, saved);
      await client.invalidateQueries({ queryKey: tagsQuery(caseId).queryKey, exact: true });
      await client.invalidateQueries({ queryKey: KEYS.caseCustodyAll(caseId) });
      // Rows of a search show the tags, and may be filtered by one.
      await client.invalidateQueries({ queryKey: caseLedger(caseId).queries.auditKey });
    },
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  const { data: of } = useQuery(caseQuery(caseId));
  const refusal = useCaseRefusal('annotate', of?.scope);
  return { annotation, tags: annotation.data?.tags ?? [], allTags: all.data ?? [], change, refusal };
}
