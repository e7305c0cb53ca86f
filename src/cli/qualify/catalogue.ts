import { ALTERED_EPOCHS } from './altered-epochs.ts';
import { ALTERED_KEYS } from './altered-keys.ts';
import { ALTERED_LOG } from './altered-log.ts';
import { CASES } from './cases.ts';
import { CERTIFICATES } from './certificates.ts';
import { CONTROLS, DAMAGED_BYTES } from './damaged-bytes.ts';
import { DISHONEST_SERVICE } from './dishonest-service.ts';
import { EDITED_RECORDS } from './edited-records.ts';
import { FALSE_APPROVALS } from './false-approvals.ts';
import { FALSE_NAMES } from './false-names.ts';
import { FORGERIES } from './forgeries.ts';
import type { Mutation } from './mutation.ts';
import { OTHER_FILES } from './other-files.ts';
import { PROOFS_OF_RECORDS } from './proofs-of-records.ts';
import { REARRANGED_RECORDS } from './rearranged-records.ts';
import { REPORTS } from './reports.ts';

/** Every kind of mutation that a qualification makes, the controls first. */
export const CATALOGUE: readonly Mutation[] = [
  ...CONTROLS,
  ...EDITED_RECORDS,
  ...REARRANGED_RECORDS,
  ...FORGERIES,
  ...DISHONEST_SERVICE,
  ...FALSE_NAMES,
  ...FALSE_APPROVALS,
  ...OTHER_FILES,
  ...ALTERED_KEYS,
  ...ALTERED_EPOCHS,
  ...ALTERED_LOG,
  ...DAMAGED_BYTES,
  ...PROOFS_OF_RECORDS,
  ...REPORTS,
  ...CERTIFICATES,
  ...CASES,
];
