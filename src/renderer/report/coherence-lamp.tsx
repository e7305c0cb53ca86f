import { Icon } from '../ui/icons.tsx';
import type { Lamp } from './coherence-words.ts';

/** The lamp of coherence as icon, word and colour, in a frame that no verdict has. */
export function CoherenceLamp({ lamp: { state, word, icon }, of = '' }: { readonly lamp: Lamp; readonly of?: string }) {
  return (
    <span className={`lamp lamp-${state}`}>
      <Icon name={icon} />
      {of === '' ? word : `${of} ${word.toLowerCase()}`}
    </span>
  );
}
