import { toHex } from '../encoding.ts';
import { ProtocolError } from '../protocol-error.ts';
import { listOf, parseShape } from '../shape.ts';
import { formatWitnessKey, parseWitnessKey, type WitnessKey } from '../statements/cosignature.ts';

/** How many organizations can be demanded, how many keys each can have, and of how many ledgers something else can be demanded. */
const MOST_ORGANIZATIONS = 32;
const MOST_KEYS = 16;
const MOST_NAME_CHARACTERS = 200;
const MOST_LEDGERS = 100;

interface WitnessOrganization {
  readonly name: string;
  /** Any of them speaks for it: of several algorithms, or of several machines. */
  readonly keys: readonly WitnessKey[];
}

/** Of how many organizations a cosignature is demanded, and of which. */
export interface WitnessDemand {
  readonly threshold: number;
  readonly organizations: readonly WitnessOrganization[];
}

/** Whose cosignatures a reader demands (protocol V182). */
export interface WitnessPolicy {
  /** Of every ledger that is not named; null where nothing is demanded of those. */
  readonly everywhere: WitnessDemand | null;
  readonly ledgers: readonly (WitnessDemand & { readonly orgId: string })[];
}

/** What is demanded of the ledger of an organization; null where that is nothing. */
export function demandOf({ everywhere, ledgers }: WitnessPolicy, orgId: string): WitnessDemand | null {
  return ledgers.find((one) => one.orgId === orgId) ?? everywhere;
}

function refuse(member: string, message: string): never {
  throw new ProtocolError('SHAPE_INVALID', `${member}: ${message}`, member);
}

const isName = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' && value.length <= MOST_NAME_CHARACTERS
    ? null
    : `a name of 1 to ${MOST_NAME_CHARACTERS} characters`;

function parseOrganization(value: unknown, path: string): WitnessOrganization {
  const { name, keys } = parseShape<{ name: string; keys: unknown[] }>(
    value,
    { name: isName, keys: listOf(1, MOST_KEYS) },
    path,
  );
  const read = keys.map((key) =>
    typeof key === 'string' ? parseWitnessKey(key) : refuse(`${path}.keys`, 'expected the keys as texts'),
  );
  return { name, keys: read };
}

function parseDemand(value: unknown, path: string): WitnessDemand {
  const shape = {
    threshold: (count: unknown) => (Number.isInteger(count) && Number(count) >= 1 ? null : 'an integer from 1'),
    organizations: listOf(1, MOST_ORGANIZATIONS),
  };
  const { threshold, organizations } = parseShape<{ threshold: number; organizations: unknown[] }>(value, shape, path);
  const read = organizations.map((one, index) => parseOrganization(one, `${path}.organizations[${index}]`));
  if (threshold > read.length) refuse(`${path}.threshold`, 'expected at most as many as there are organizations');
  if (new Set(read.map(({ name }) => name)).size < read.length)
    refuse(`${path}.organizations`, 'expected each name once');
  // One key for two organizations would count twice.
  const keys = read.flatMap((one) => one.keys.map(({ publicKey }) => toHex(publicKey)));
  if (new Set(keys).size < keys.length) refuse(`${path}.organizations`, 'expected each key once');
  // So would one witness under two names of organizations, by a key of each kind.
  const witnesses = read.flatMap((one) => [...new Set(one.keys.map(({ name: called }) => called))]);
  const twice = witnesses.find((called, n) => witnesses.indexOf(called) !== n);
  if (twice !== undefined) refuse(`${path}.organizations`, `expected each witness once, and two have keys of ${twice}`);
  return { threshold, organizations: read };
}

/** @throws ProtocolError SHAPE_INVALID, ENCODING_INVALID, KEY_WEAK */
export function parseWitnessPolicy(value: unknown): WitnessPolicy {
  const path = 'witnesses';
  const { ledgers: named, ...general } = Object(value) as { readonly ledgers?: unknown };
  if (named === undefined) return { everywhere: parseDemand(value, path), ledgers: [] };
  const problem = listOf(1, MOST_LEDGERS)(named);
  if (problem !== null) refuse(`${path}.ledgers`, `expected ${problem}`);
  const ledgers = (named as readonly unknown[]).map((one, index) => {
    const { org_id: orgId, ...demand } = Object(one) as { readonly org_id?: unknown };
    const at = `${path}.ledgers[${index}]`;
    if (typeof orgId !== 'string' || orgId === '') return refuse(`${at}.org_id`, 'expected the id of an organization');
    return { orgId, ...parseDemand(demand, at) };
  });
  if (new Set(ledgers.map(({ orgId }) => orgId)).size < ledgers.length)
    refuse(`${path}.ledgers`, 'expected each ledger once');
  return { everywhere: Object.keys(general).length === 0 ? null : parseDemand(general, path), ledgers };
}

function formatDemand({ threshold, organizations }: WitnessDemand) {
  const named = organizations.map(({ name, keys }) => ({ name, keys: keys.map((key) => formatWitnessKey(key)) }));
  return { threshold, organizations: named };
}

/** A policy as parseWitnessPolicy reads it back. */
export function formatWitnessPolicy({ everywhere, ledgers }: WitnessPolicy) {
  const named = ledgers.map(({ orgId, ...demand }) => ({ org_id: orgId, ...formatDemand(demand) }));
  return {
    ...(everywhere !== null && formatDemand(everywhere)),
    ...(named.length > 0 && { ledgers: named }),
  };
}
