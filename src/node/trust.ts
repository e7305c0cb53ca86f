/** Whom one user of this machine trusts: a file of issuer keys, and which issuers were met before. */
export { type IssuerKey, readKeySet, readKid } from './trust/issuer-keys.ts';
export { trustStorePath } from './trust/location.ts';
export { type IssuerChange, noticeIssuer } from './trust/notice.ts';
export { TrustStoreFile } from './trust/store-file.ts';
export {
  EMPTY_STORE,
  formatTrustStore,
  type PinnedBy,
  parseTrustStore,
  type Sighting,
  type TrustedKey,
  type TrustStore,
} from './trust/store-shape.ts';
export { TrustError } from './trust/trust-error.ts';
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
} from './trust/trusted-keys.ts';
