/** Whom one user of this machine trusts: a file of issuer keys, witnesses and roots for time, and which issuers were met before. */
export {
  addTimeRoots,
  addWitness,
  demandWitnesses,
  removeTimeRoot,
  removeWitness,
  witnessesFor,
  witnessPolicyOf,
} from './anchors.ts';
export { type IssuerKey, readKeySet, readKid } from './issuer-keys.ts';
export { trustStorePath } from './location.ts';
export { type IssuerChange, noticeIssuer } from './notice.ts';
export { TrustStoreFile } from './store-file.ts';
export {
  EMPTY_STORE,
  formatTrustStore,
  type PinnedBy,
  parseTrustStore,
  type Sighting,
  type TimeRoot,
  type TrustedKey,
  type TrustStore,
} from './store-shape.ts';
export { TrustError } from './trust-error.ts';
export {
  addKeys,
  findKey,
  kidOfDigits,
  type NamedOrganization,
  organizationsOf,
  publicKeysOf,
  removeKey,
  removeOrganization,
  trustEntriesOf,
} from './trusted-keys.ts';
