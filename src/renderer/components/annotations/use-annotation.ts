import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { LIMITS } from '../../../api/index.ts';
import { sentenceOf } from '../../api/call.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { useCaseRefusal, useRefusal } from '../../api/permission.ts';
import { q as ask } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { toast } from '../../ui/toasts.tsx';

/** What is changed of an annotation; what is left out stays. */
interface Change {
  readonly tags?: readonly string[];
  readonly note?: string;
  readonly bookmarked?: boolean;
}

/** The same change to several records. */
export interface ChangeOfMany {
  readonly add_tags?: readonly string[];
  readonly remove_tags?: readonly string[];
  readonly add_note?: string;
  readonly bookmarked?: boolean;
}

/** Why who is signed in may not write about the records of this ledger; null where they may. */
export function useAnnotateRefusal(): string | null {
  const { caseId, routeOf } = useLedger();
  const { data: of } = useQuery({ ...ask('getCase', { params: { case_id: caseId ?? '' } }), enabled: caseId !== null });
  return useCaseRefusal(routeOf('annotateLive'), of?.scope);
}

/** Has all that shows tags, notes or bookmarks of this ledger asked for again. */
function useRenew(): () => Promise<void> {
  const { caseId, invalidate: ofLedger } = useLedger();
  return async () => {
    // Rows of a search show them, and may be filtered by one.
    await ofLedger('liveAnnotations', 'auditQuery', 'actions', 'auditHistogram', 'facets');
    await invalidate(caseId === null ? 'annotationLog' : 'custody');
  };
}

/** Tags, note and bookmark of a record, and the way to change them. */
export function useAnnotation(operationId: string) {
  const { q, call, routeOf } = useLedger();
  const refusal = useAnnotateRefusal();
  const canRead = useRefusal(routeOf('liveAnnotations')) === null;
  const client = useQueryClient();
  const renew = useRenew();
  const ofRecord = q('liveAnnotations', { query: { operation_id: operationId, limit: 1 } });
  const annotation = useQuery({ ...ofRecord, enabled: canRead, select: ({ data }) => data[0] ?? null });
  const all = useQuery({ ...q('liveAnnotations', { query: { limit: 1 } }), enabled: canRead });
  const change = useMutation({
    mutationFn: (body: Change) => call('annotateLive', { params: { operation_id: operationId }, body }),
    onSuccess: (saved) => {
      client.setQueryData(ofRecord.queryKey, (before) => before && { ...before, data: [saved] });
      return renew();
    },
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  const { tags = [], bookmarked = false } = annotation.data ?? {};
  return { annotation, tags, bookmarked, allTags: all.data?.tags ?? [], change, refusal, canRead };
}

/** Changes tags, notes and bookmarks of several records: of each hundred all or none. */
export function useAnnotateMany() {
  const { call } = useLedger();
  const renew = useRenew();
  return useMutation({
    mutationFn: async ({ ids, change }: { readonly ids: readonly string[]; readonly change: ChangeOfMany }) => {
      let changed = 0;
      for (let from = 0; from < ids.length; from += LIMITS.annotatedAtOnce) {
        const operation_ids = ids.slice(from, from + LIMITS.annotatedAtOnce);
        changed += (await call('annotateManyLive', { body: { operation_ids, ...change } })).changed;
      }
      return changed;
    },
    onSettled: renew,
  });
}
