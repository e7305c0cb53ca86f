import type { ContentView } from './content-view.ts';

/** Something that is worked out of a view's columns once, and again when something else is found in it. */
export function keptOfView<T>(make: (view: ContentView) => T): (view: ContentView) => T {
  const kept = new WeakMap<ContentView, { readonly version: number; readonly value: T }>();
  return (view) => {
    const { version } = view.reader;
    const known = kept.get(view);
    if (known !== undefined && known.version === version) return known.value;
    const value = make(view);
    kept.set(view, { version, value });
    return value;
  };
}
