/** argon2id with OWASP's parameters: 19 MiB of memory, two passes, one lane. */
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Native code, loaded when there is a password to look at. */
const argon2 = () => import('@node-rs/argon2');

/** @returns an encoded argon2id hash with its salt and parameters */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await argon2();
  return hash(password, PARAMETERS);
}

let decoy: Promise<string> | undefined;

/**
 * Whether a password fits a hash. Where there is no account, the same work is done on a decoy, so that the time does not
 * tell who has one.
 */
export async function verifyPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const { verify } = await argon2();
  if (passwordHash) return verify(passwordHash, password);
  decoy ??= hashPassword('nobody has this password');
  await verify(await decoy, password);
  return false;
}
