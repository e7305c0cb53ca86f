import { availableParallelism } from 'node:os';
import { ServiceError } from '../../store/base/service-error.ts';

/** argon2id with OWASP's parameters: 19 MiB of memory, two passes, one lane. */
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * Passwords that are looked at at once, and that may wait for it: each takes 19 MiB, one of Node's few threads, and a processor
 * for itself. Half of the processors are left to everybody else, whoever tries passwords.
 */
const AT_ONCE = Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2)));
const MAX_WAITING = 64;

let working = 0;
const waiting: (() => void)[] = [];

/** Does the work when its turn comes. @throws ServiceError OVERLOADED where too much is waiting */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (working >= AT_ONCE) {
    if (waiting.length >= MAX_WAITING) {
      throw new ServiceError('OVERLOADED', 'too many passwords are being checked: try again', {}, 1);
    }
    // Whoever ends hands their place over.
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    working++;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) working--;
    else next();
  }
}

/** Native code, loaded when there is a password to look at. */
const argon2 = () => import('@node-rs/argon2');

/**
 * @returns an encoded argon2id hash with its salt and parameters
 * @throws ServiceError OVERLOADED
 */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await argon2();
  return inTurn(() => hash(password, PARAMETERS));
}

let decoy: Promise<string> | undefined;

/**
 * Whether a password fits a hash. Where there is no account, the same work is done on a decoy, so that the time does not
 * tell who has one.
 * @throws ServiceError OVERLOADED
 */
export async function verifyPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const { hash, verify } = await argon2();
  if (passwordHash) return inTurn(() => verify(passwordHash, password));
  decoy ??= hash('nobody has this password', PARAMETERS);
  const fake = await decoy;
  await inTurn(() => verify(fake, password));
  return false;
}
