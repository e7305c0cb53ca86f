import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../../store/base/service-error.ts';
import {
  type PassphraseWrap,
  PROTECTION_FILE,
  readProtection,
  unwrapWithPassphrase,
  wrappingKeyId,
} from './key-protection.ts';
import { keySealer, type Sealer } from './sealing.ts';

/**
 * What the key files of a data folder are sealed with; null where they are not.
 * @param given the wrapping key, where whoever starts the service has it already, as the desktop has
 * @param passphraseFile path of a file whose first line is the passphrase
 * @throws StartError KEY_LOCKED, KEY_WRONG, KEY_UNREADABLE, SETTING_INVALID
 */
export async function openProtection(
  dataDir: string,
  given: Uint8Array | null,
  passphraseFile: string | null,
): Promise<Sealer | null> {
  const protection = readProtection(join(dataDir, PROTECTION_FILE));
  if (protection === null) return given === null ? null : keySealer(given);
  const key = given ?? (await byPassphrase(protection.wraps, passphraseFile));
  if (wrappingKeyId(key) !== protection.key_id) {
    throw new StartError('KEY_WRONG', `${PROTECTION_FILE} is of other key files than these`);
  }
  return keySealer(key);
}

async function byPassphrase(
  wraps: readonly { readonly kind: string }[],
  passphraseFile: string | null,
): Promise<Uint8Array> {
  const wrap = wraps.find((one): one is PassphraseWrap => one.kind === 'passphrase');
  if (wrap === undefined) {
    throw new StartError(
      'KEY_LOCKED',
      "the keys of this data folder are sealed by the desktop and this machine's key store: open it with the desktop, " +
        'or export its keys there under a passphrase',
    );
  }
  if (passphraseFile === null) {
    throw new StartError('KEY_LOCKED', 'the keys of this data folder need a passphrase: --key-passphrase-file FILE');
  }
  let text: string;
  try {
    text = readFileSync(passphraseFile, 'utf8');
  } catch (error) {
    throw new StartError('SETTING_INVALID', `--key-passphrase-file ${passphraseFile} cannot be read`, { cause: error });
  }
  const key = await unwrapWithPassphrase(wrap, text.split(/\r?\n/, 1)[0] ?? '');
  if (key === null)
    throw new StartError('KEY_LOCKED', `${passphraseFile} holds another passphrase than these keys need`);
  return key;
}
