import { SaveRows } from '../../components/save-rows.tsx';
import { plural } from '../../lib/plural.ts';
import type { RefusedSearch } from '../../lib/search-params.ts';
import { saveRefused } from './save-refused.ts';

/** The list as a file, all that the filters find. */
export function SaveList({ filter }: { readonly filter: RefusedSearch }) {
  return (
    <SaveRows
      label="Save list"
      save={async (format, onProgress) => {
        const { rows, complete } = await saveRefused(filter, format, onProgress);
        return complete ? `${plural(rows, 'row')} saved.` : `The newest ${plural(rows, 'row')} saved. There are more.`;
      }}
    >
      All rows that the filters find. The list is no evidence: nothing signs it.
    </SaveRows>
  );
}
