import type { LoadedColumns } from './loaded-columns.ts';
import type { ShelfReader } from './shelf-reader.ts';

/** Records of which the columns are in memory. */
export interface ColumnsView {
  readonly reader: ShelfReader;
  readonly columns: LoadedColumns;
}

/** Something that is worked out of a view's columns once, and again when something else is found in it. */
export function keptOfView<T, V extends ColumnsView = ColumnsView>(make: (view: V) => T): (view: V) => T {
  const kept = new WeakMap<V, { readonly version: number; readonly value: T }>();
  return (view) => {
    const { version } = view.reader;
    const known = kept.get(view);
    if (known !== undefined && known.version === version) return known.value;
    const value = make(view);
    kept.set(view, { version, value });
    return value;
  };
}
