import { useState } from 'react';

/**
 * What somebody types over a given value. It begins again with the given value whenever the key of that changes; fields keep
 * the focus meanwhile, which a new element would lose.
 * @param key names the given value: as long as it is the same, what was typed stays
 */
export function useDraft<T>(given: T, key: string): readonly [T, (next: T) => void] {
  const [draft, setDraft] = useState({ key, value: given });
  if (draft.key !== key) setDraft({ key, value: given });
  const change = (value: T): void => setDraft({ key, value });
  return [draft.key === key ? draft.value : given, change];
}
