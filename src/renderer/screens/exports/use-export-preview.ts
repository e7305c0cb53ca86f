import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { q } from '../../api/query.ts';
import { type ExportDraft, previewOf } from './export-request.ts';

/** How long a form must rest before it is asked about, in milliseconds. */
const REST_MS = 500;

/** A value once it has not changed for a moment: a question for each key that is pressed would be too many. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

/** What the export of a draft would hold. */
export function useExportPreview(draft: ExportDraft) {
  // `null` while the form cannot be sent.
  const body: ReturnType<typeof previewOf> = JSON.parse(useRested(JSON.stringify(previewOf(draft))));
  return useQuery({
    ...q('previewExport', { body: body ?? {} }),
    enabled: body !== null,
    placeholderData: keepPreviousData,
  });
}
