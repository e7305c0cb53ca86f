import { StartError } from '../../store/base/service-error.ts';
import type { Settings } from '../../store/settings/settings-type.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import type { KeyHolder } from '../keys/key-holder.ts';
import { checkLedgerTail } from './check-tail.ts';
import { type Damage, describeDamage } from './damage.ts';
import { checkRollback } from './rollback.ts';

export interface LedgerCheckContext extends WriteAccess {
  readonly key: KeyHolder;
  readonly settings: Settings;
  readonly headsPath: string;
  readonly warn: (message: string) => void;
}

function refusal([first, ...more]: readonly Damage[], dataDir: string): StartError {
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return new StartError(
    'LEDGER_DAMAGED',
    `the ledger is damaged: ${first === undefined ? '' : describeDamage(first)}${others}. ` +
      `countersign verify --data-dir ${dataDir} shows everything. To read the ledger as it is, start with --accept-damage: ` +
      'what is damaged takes no records then',
  );
}

/**
 * What a start looks at before the ledger continues: its newest part, and whether it is the one that was left.
 * @returns the organizations whose damage the settings accept
 * @throws StartError LEDGER_DAMAGED, LEDGER_ROLLED_BACK, HEADS_UNREADABLE
 */
export async function checkLedger(context: LedgerCheckContext): Promise<ReadonlySet<string>> {
  const { store, writer, key, settings, headsPath, now, warn } = context;
  const damages = await checkLedgerTail(store, key);
  if (damages.length > 0 && !settings.acceptDamage) throw refusal(damages, settings.dataDir);
  for (const damage of damages) warn(`the ledger is damaged: ${describeDamage(damage)}`);
  const damaged = new Set(damages.map(({ orgId }) => orgId));
  store.clock.distrust(damaged);
  const accepted = settings.acceptRollback;
  await checkRollback({ store, writer, key, path: headsPath, accepted, damaged, now, warn });
  return damaged;
}
