import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCaseRefusal } from '../../app/permission.ts';
import { toast } from '../../app/toasts.tsx';
import { caseLedger } from '../../ledger/ledger.ts';
import { call, sentenceOf } from '../../service/call.ts';
import { annotationQuery, caseQuery, tagsQuery } from '../../service/case-queries.ts';

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
      // Rows of a search show the tags, and may be filtered by one.
      await client.invalidateQueries({ queryKey: caseLedger(caseId).queries.auditKey });
    },
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  const { data: of } = useQuery(caseQuery(caseId));
  const refusal = useCaseRefusal('annotate', of?.scope);
  return { annotation, tags: annotation.data?.tags ?? [], allTags: all.data ?? [], change, refusal };
}
