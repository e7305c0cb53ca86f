/** What the page needs of the service's answers. They are read field by field: the page trusts no shape blindly. */

export interface Health {
  readonly status: string;
  readonly version: string;
}

export const HEALTH_PATH = 'v1/health';
export const JWKS_PATH = '.well-known/countersign/jwks.json';

export function readHealth(body: unknown): Health {
  return { status: text(member(body, 'status'), 'status'), version: text(member(body, 'version'), 'version') };
}

/** The identifier of the key that the service signs with at present: the first of its key set. */
export function readIssuerKid(body: unknown): string {
  const keys = member(body, 'keys');
  if (!Array.isArray(keys) || keys.length === 0) throw new Error('The key set of the service is empty.');
  return text(member(keys[0], 'kid'), 'keys[0].kid');
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function text(value: unknown, name: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new Error(`The service's answer has no "${name}".`);
}
