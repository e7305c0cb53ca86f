/** The file that a case is moved as: its form, and what in it is evidence. Whoever reads it, a service, a command or a page, brings the bytes. */
export { type CaseFileFinding, CaseFileRefused } from './case-file-error.ts';
export { MAX_FOLDER_DEPTH, PASSED_OVER } from './collecting.ts';
export {
  COLLECTION_ENTRY,
  COLLECTION_LIMITS,
  type CollectedFile,
  Collection,
  type CollectionManifest,
  collectionHead,
  collectionManifest,
  collectionManifestBytes,
  fileEntry,
  type LeftOutReason,
  type PlacedFile,
  placesOf,
  shortenedPath,
} from './collection.ts';
export {
  type CaseManifest,
  expectedEntries,
  MAX_MANIFEST_BYTES,
  type ManifestItem,
  manifestBytes,
  statedTrust,
  time,
} from './manifest.ts';
export { type CaseArchive, evidenceIn, openArchive } from './open-archive.ts';
export { BLOCK, ENTRY, isCaseFile, padding, TAR_END, tarHeader } from './tar.ts';
