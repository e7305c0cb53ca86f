/** Under which name a report carries its bundle; by it the bundle is found again. */
export const ATTACHED_BUNDLE = 'countersign-bundle.json';

/** Under which name a report of chosen records carries its data. */
export const ATTACHED_REPORT = 'countersign-report.json';

/** Under which name it carries the whole bundle that the records are from, where it does. */
export const ATTACHED_WHOLE_BUNDLE = 'countersign-whole-bundle.json';

/** Under which name a report carries the options that it was made with. */
export const ATTACHED_OPTIONS = 'countersign-report-options.json';

/** Options hold an investigator's notes: more than this no report has. */
export const MAX_OPTIONS_BYTES = 32 * 1024 * 1024;

/** The largest bundle that a report carries, in bytes. It bounds what is unpacked from a file that claims to be one. */
export const MAX_BUNDLE_BYTES = 256 * 1024 * 1024;
