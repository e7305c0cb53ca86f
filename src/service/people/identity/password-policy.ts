import { ServiceError } from '../../store/base/service-error.ts';
import type { Settings } from '../../store/settings/settings-type.ts';

let list: Promise<ReadonlySet<string>> | null = null;

/** The most used passwords, in lower case, the same that the meter on the page goes by: loaded where the setting asks for it. */
function mostUsed(): Promise<ReadonlySet<string>> {
  list ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common']));
  return list;
}

/**
 * Refuses a new password that is among the most used ones, where the service is set to: those are what is tried first, by
 * whoever guesses. Without the setting every password of the right length is accepted.
 * @param member how the body calls it
 * @throws ServiceError VALIDATION_ERROR
 */
export async function checkNewPassword(
  { commonPasswords }: Pick<Settings, 'commonPasswords'>,
  password: string,
  member: string,
): Promise<void> {
  if (commonPasswords === 'allow' || !(await mostUsed()).has(password.toLowerCase())) return;
  throw new ServiceError('VALIDATION_ERROR', `${member}: is one of the most used passwords: choose another`);
}
