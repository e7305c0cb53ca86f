import { SaveRows } from '../../components/save-rows.tsx';
import type { RefusedSearch } from '../../lib/search-params.ts';
import { saveRefused } from './save-refused.ts';
import { SAVE_LIST } from './texts.ts';

/** The list as a file, all that the filters find. */
export function SaveList({ filter }: { readonly filter: RefusedSearch }) {
  return (
    <SaveRows
      label={SAVE_LIST.saveList}
      save={async (format, onProgress) => {
        const { rows, complete } = await saveRefused(filter, format, onProgress);
        return complete ? SAVE_LIST.saved(SAVE_LIST.rows(rows)) : SAVE_LIST.newestSaved(SAVE_LIST.rows(rows));
      }}
    >
      {SAVE_LIST.explained}
    </SaveRows>
  );
}
