/** Under which name a report carries its bundle; by it the bundle is found again. */
export const ATTACHED_BUNDLE = 'countersign-bundle.json';

/** The largest bundle that a report carries, in bytes. It bounds what is unpacked from a file that claims to be one. */
export const MAX_BUNDLE_BYTES = 256 * 1024 * 1024;
