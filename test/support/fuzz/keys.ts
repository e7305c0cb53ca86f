/** The private keys behind every key of the bundles that are changed, so that what was changed can be signed again. */
import { createPrivateKey, type KeyObject, sign as signNative } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fromHex, publicKeyOf, thumbprint, toBase64Url } from '../../../src/protocol/index.ts';
import { agentSeed, serviceSeed } from '../bundle-maker.ts';

/** PKCS #8 (RFC 8410 §7) before the 32 bytes of an Ed25519 seed. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

interface SeedVectors {
  readonly service_keys: readonly { readonly seed_hex: string }[];
  readonly agent_keys: readonly { readonly seed_hex: string }[];
}

/** More service keys than a made ledger has: the further ones are strangers'. */
const SERVICE_KEYS = 10;
const AGENT_KEYS = 6;

function vectorSeeds(file: string): string[] {
  const vectors = JSON.parse(readFileSync(new URL(`../../vectors/${file}`, import.meta.url), 'utf8')) as SeedVectors;
  return [...vectors.service_keys, ...vectors.agent_keys].map(({ seed_hex }) => seed_hex);
}

function allSeeds(): Uint8Array[] {
  return [
    ...Array.from({ length: SERVICE_KEYS }, (_, index) => serviceSeed(index)),
    ...Array.from({ length: AGENT_KEYS }, (_, index) => agentSeed(index)),
    ...['ledger.json', 'disclosures.json', 'clock.json'].flatMap(vectorSeeds).map((seed) => fromHex(seed, 32)),
  ];
}

const byPublicKey = new Map<string, KeyObject>();
const byKid = new Map<string, KeyObject>();
for (const seed of allSeeds()) {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = publicKeyOf(seed);
  byPublicKey.set(toBase64Url(publicKey), key);
  byKid.set(thumbprint(publicKey), key);
}

/** All public keys that something can be signed with, as they stand in JSON. */
export const PUBLIC_KEYS: readonly string[] = [...byPublicKey.keys()];

/** Signs with the key of this kid, or else the one of this public key; undefined where neither is known. */
export function signedBy(name: unknown, message: Uint8Array): string | undefined {
  const key = byKid.get(String(name)) ?? byPublicKey.get(String(name));
  return key && toBase64Url(signNative(null, message, key));
}
