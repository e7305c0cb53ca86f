import { useCallback, useSyncExternalStore } from 'react';

const atMost = (em: number): string => `(max-width: ${em}em)`;

/** @param em as style sheets have it: a pixel is not what somebody sees of one whose text is of twice the size */
export function isNarrow(em: number): boolean {
  return matchMedia(atMost(em)).matches;
}

/** Whether the window is at most so wide, and again whenever that changes. @param em as of isNarrow */
export function useIsNarrow(em: number): boolean {
  const query = atMost(em);
  const subscribe = useCallback(
    (tell: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', tell);
      return () => list.removeEventListener('change', tell);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => isNarrow(em));
}
