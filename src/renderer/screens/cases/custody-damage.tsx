import type { CustodyDamage as Damage } from '../../../api/index.ts';
import { Mark } from '../../components/mark.tsx';
import { CUSTODY_PANEL, DAMAGE_NAMES } from './texts.ts';

/** What does not hold in a custody log, one line for each place. */
export function CustodyDamage({ damage }: { readonly damage: readonly Damage[] }) {
  return damage.map(({ entry_no, code, item_no: item }) => (
    <p key={`${entry_no}-${code}-${item}`}>
      <Mark
        outcome="fail"
        word={
          item === undefined
            ? CUSTODY_PANEL.entryDamaged(entry_no, DAMAGE_NAMES[code])
            : CUSTODY_PANEL.itemDiffers(item, entry_no)
        }
      />
    </p>
  ));
}
