import { type RefObject, useLayoutEffect, useState } from 'react';

/** How wide the inside of an element is, without its scroll bar, in pixels as its page counts them; 0 before it is there. */
export function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const look = (): void => setWidth(element.clientWidth);
    look();
    const watcher = new ResizeObserver(look);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [ref]);
  return width;
}
