import { toHex } from '../encoding.ts';
import { ProtocolError } from '../protocol-error.ts';
import { parseShape } from '../shape.ts';
import { formatWitnessKey, parseWitnessKey, type WitnessKey } from '../statements/cosignature.ts';

/** How many organizations a policy can have, and how many keys each. */
const MOST_ORGANIZATIONS = 32;
const MOST_KEYS = 16;
const MOST_NAME_CHARACTERS = 200;

interface WitnessOrganization {
  readonly name: string;
  /** Any of them speaks for it: of several algorithms, or of several machines. */
  readonly keys: readonly WitnessKey[];
}

/** Whose cosignatures a reader demands (protocol V182): those of `threshold` of these organizations. */
export interface WitnessPolicy {
  readonly threshold: number;
  readonly organizations: readonly WitnessOrganization[];
}

function refuse(member: string, message: string): never {
  throw new ProtocolError('SHAPE_INVALID', `${member}: ${message}`, member);
}

const isList = (most: number) => (value: unknown) =>
  Array.isArray(value) && value.length >= 1 && value.length <= most ? null : `an array of 1 to ${most}`;

const isName = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' && value.length <= MOST_NAME_CHARACTERS
    ? null
    : `a name of 1 to ${MOST_NAME_CHARACTERS} characters`;

function parseOrganization(value: unknown, path: string): WitnessOrganization {
  const { name, keys } = parseShape<{ name: string; keys: unknown[] }>(
    value,
    { name: isName, keys: isList(MOST_KEYS) },
    path,
  );
  const read = keys.map((key) =>
    typeof key === 'string' ? parseWitnessKey(key) : refuse(`${path}.keys`, 'expected the keys as texts'),
  );
  return { name, keys: read };
}

/** @throws ProtocolError SHAPE_INVALID, ENCODING_INVALID, KEY_WEAK */
export function parseWitnessPolicy(value: unknown): WitnessPolicy {
  const shape = {
    threshold: (count: unknown) => (Number.isInteger(count) && Number(count) >= 1 ? null : 'an integer from 1'),
    organizations: isList(MOST_ORGANIZATIONS),
  };
  const { threshold, organizations } = parseShape<{ threshold: number; organizations: unknown[] }>(
    value,
    shape,
    'witnesses',
  );
  const read = organizations.map((one, index) => parseOrganization(one, `witnesses.organizations[${index}]`));
  if (threshold > read.length) refuse('witnesses.threshold', 'expected at most as many as there are organizations');
  if (new Set(read.map(({ name }) => name)).size < read.length)
    refuse('witnesses.organizations', 'expected each name once');
  // One key for two organizations would count twice.
  const keys = read.flatMap((one) => one.keys.map(({ publicKey }) => toHex(publicKey)));
  if (new Set(keys).size < keys.length) refuse('witnesses.organizations', 'expected each key once');
  return { threshold, organizations: read };
}

/** A policy as parseWitnessPolicy reads it back. */
export function formatWitnessPolicy({ threshold, organizations }: WitnessPolicy) {
  const named = organizations.map(({ name, keys }) => ({ name, keys: keys.map((key) => formatWitnessKey(key)) }));
  return { threshold, organizations: named };
}
