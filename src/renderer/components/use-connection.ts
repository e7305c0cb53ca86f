import { useSyncExternalStore } from 'react';
import { type Connection, connection } from '../api/connection.ts';

const subscribe = (listener: () => void) => connection.subscribe(listener);

/** Whether what is shown can be kept up to date. */
export function useConnection(): Connection & { readonly isCut: boolean } {
  const state = useSyncExternalStore(subscribe, () => connection.state);
  return { ...state, isCut: state.lostSince !== null || state.endedSince !== null };
}
