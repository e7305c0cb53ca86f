import type { RefusedSearch } from '../../app/search-params.ts';
import { plural } from '../../components/plural.ts';
import { SaveRows } from '../../components/save-rows.tsx';
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
