import { useEffect } from 'react';
import { visibleText } from '../../protocol/index.ts';

/** Names the window after what is shown in it; null for the product alone. */
export function useTitle(name: string | null): void {
  useEffect(() => {
    document.title = name === null ? 'Countersign' : `${visibleText(name)} · Countersign`;
  }, [name]);
}
