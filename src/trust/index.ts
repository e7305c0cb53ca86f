/** Whom one user of this machine trusts: a file of issuer keys, and which issuers were met before. */
export { type IssuerKey, readKeySet, readKid } from './issuer-keys.ts';
export { type Surroundings, TRUST_STORE_VARIABLE, trustStorePath } from './location.ts';
export { type IssuerChange, type Noticed, noticeIssuer } from './notice.ts';
export { TrustStoreFile } from './store-file.ts';
export {
  type ConfirmedOrganization,
  EMPTY_STORE,
  formatTrustStore,
  type PinnedBy,
  parseTrustStore,
  type SeenOrganization,
  type Sighting,
  type TrustedKey,
  type TrustStore,
} from './store-shape.ts';
export { TrustError, type TrustErrorCode } from './trust-error.ts';
export {
  type Adding,
  addKeys,
  findKey,
  kidOfDigits,
  type NamedOrganization,
  organizationsOf,
  removeKey,
  removeOrganization,
  trustEntriesOf,
} from './trusted-keys.ts';
