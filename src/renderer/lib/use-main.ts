import { type RefObject, useLayoutEffect, useRef } from 'react';

/** The main part of the page, for what opens over it: at the end of the page, where that usually goes, no landmark leads to it. */
export function useMain(): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    main.current = document.querySelector('main');
  }, []);
  return main;
}
