import { useCallback, useSyncExternalStore } from 'react';

/**
 * Whether the window fits a media query, and again whenever that changes.
 * @param query in `em`, as style sheets have it: a pixel is not what somebody sees of one whose text is of twice the size
 */
export function useMatches(query: string): boolean {
  const subscribe = useCallback(
    (tell: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', tell);
      return () => list.removeEventListener('change', tell);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
