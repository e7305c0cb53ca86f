import { z } from 'zod';

/** What can be wrong with a custody log, and with what it tells of. */
export const CUSTODY_DAMAGE_CODES = [
  'ENTRY_MISSING',
  'ENTRY_CHANGED',
  'LINK_BROKEN',
  'OTHER_CASE',
  'SIGNATURE_INVALID',
  'KEY_SHARED',
  'ITEM_CHANGED',
  'NOTE_CHANGED',
] as const;

/** Why a case file is refused, or what does not hold in one: a closed set (docs/case-room.md). */
export const caseFileCode = z.enum([
  'NOT_A_CASE_FILE',
  'MANIFEST_INVALID',
  'NAME_INVALID',
  'ENTRY_DUPLICATE',
  'ENTRY_UNEXPECTED',
  'ENTRY_ABSENT',
  'HEADER_INVALID',
  'SIZE_MISMATCH',
  'DIGEST_MISMATCH',
  'TOO_MANY_ENTRIES',
  'FILE_CUT_OFF',
  'TRAILING_BYTES',
  'LINE_INVALID',
  'SEAL_INVALID',
  'HEAD_MISMATCH',
  ...CUSTODY_DAMAGE_CODES,
]);
export type CaseFileCode = z.infer<typeof caseFileCode>;

/** A place where a custody log, or what it tells of, does not hold. */
export const custodyDamage = z.strictObject({
  entry_no: z.int(),
  code: z.enum(CUSTODY_DAMAGE_CODES),
  item_no: z.int().optional().meta({ description: 'of ITEM_CHANGED' }),
});
export type CustodyDamage = z.infer<typeof custodyDamage>;
