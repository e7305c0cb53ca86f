import { z } from 'zod';
import { custodyDamage } from './case-file-codes.ts';
import { caseItemCode, caseItemKind, caseItemVerdict } from './case-item-codes.ts';
import { trustedKids } from './cases.ts';
import { examinerKeyState } from './examiner-signature.ts';
import { anyJson, digest, isoTime, name } from './fields.ts';
import { LIMITS } from './limits.ts';

/** Entries of a custody log that are signed with one call. */
export const MAX_SIGNED_AT_ONCE = 200;

const bytes = z.int().min(0).meta({ description: 'in bytes' });

/** What the case file that an item came with says about it, and whether it was found again here. */
const statedItem = z.strictObject({
  verdict: caseItemVerdict.nullable(),
  judgement_sha256: digest.nullable(),
  reproduced: z
    .boolean()
    .nullable()
    .meta({ description: 'whether the same keys gave the same judgement here, byte for byte; null before' }),
});

/** Whose key signed a report of chosen records, by what the report and this service say. */
const reportSignature = z.strictObject({
  examiner: z.string().nullable().meta({ description: 'who made the report, as it says' }),
  kid: z.string(),
  key: examinerKeyState.meta({
    description:
      'as this service has it for the person of that name or address; `other`: it is the key of another person',
  }),
});
export type ReportSignature = z.infer<typeof reportSignature>;

/** One piece of a case. Item 1 is the file that the case was made of. */
export const caseItem = z.strictObject({
  item_no: z.int().min(1),
  name: z.string(),
  kind: caseItemKind.nullable().meta({ description: 'null while it is looked at' }),
  bytes,
  sha256: digest,
  added_at: isoTime,
  added_by: z
    .string()
    .nullable()
    .meta({ description: 'address of who was signed in; null where nobody was, or where it is not known' }),
  verdict: caseItemVerdict.nullable().meta({ description: 'null while it is looked at' }),
  code: caseItemCode.nullable(),
  summary: z.string(),
  verified_at: isoTime.nullable(),
  judgement_sha256: digest.nullable().meta({ description: 'of the bytes that …/items/:item_no/judgement answers' }),
  stated: statedItem.nullable().meta({ description: 'null of an item that did not come with a case file' }),
  signed_by: reportSignature
    .nullable()
    .meta({ description: 'of a report of chosen records with a signature that verifies; null of anything else' }),
});
export type CaseItem = z.infer<typeof caseItem>;

export const caseItemsAnswer = z.strictObject({
  items: z.array(caseItem),
  checking: z.int().min(0).meta({ description: 'items that are being looked at' }),
});
export type CaseItemsAnswer = z.infer<typeof caseItemsAnswer>;

export const addItemBody = z.strictObject({
  upload_id: z.uuid(),
  name: name(255).optional().meta({ description: "the upload's name where left out" }),
});

/** The judgement of an item: a verification report of item 1, and an item judgement of every other. */
export const itemJudgement = anyJson;

export const compareItemsBody = z.strictObject({ item_no: z.int().min(1), with: z.int().min(1) });

const seqNos = z.array(z.int()).max(1000);
const reportSide = z.strictObject({
  item_no: z.int(),
  title: z.string(),
  question: z.string(),
  examiner: z.string().nullable(),
  made_at: z.string(),
  verdict: caseItemVerdict,
  signature: z.enum(['none', 'valid', 'invalid']),
  examiner_kid: z.string().nullable(),
  taken_from: digest.nullable(),
  records: z.int(),
});

/** Two reports of chosen records held against each other. */
export const reportComparison = z.strictObject({
  this: reportSide,
  other: reportSide,
  same_organization: z.boolean(),
  same_verdict: z.boolean(),
  same_records: z.boolean().meta({
    description: 'the same numbers, each with the same record, disclosures and receipt, under proofs that hold',
  }),
  same_order: z.boolean(),
  only_this: seqNos,
  only_other: seqNos,
  records_differ: seqNos.meta({
    description:
      'numbers that both have with different records, disclosures or receipts, or without a proof that holds',
  }),
  comments_differ: z.array(
    z.strictObject({ seq_no: z.int(), this: z.string().nullable(), other: z.string().nullable() }),
  ),
  clocks_differ: seqNos.meta({
    description:
      'numbers that both have, of which they say different things about the clock that the record was received by',
  }),
});
export type ReportComparison = z.infer<typeof reportComparison>;

export const openCaseBody = z.strictObject({
  upload_id: z.uuid(),
  name: name(LIMITS.caseName).optional(),
  trusted_kids: trustedKids,
});

const savedDamage = z.array(custodyDamage).meta({
  description: 'what does not hold in the custody log, items and notes as they are saved: the first 100 places',
});

/** What the window signs before a case is saved. */
export const caseDraftAnswer = z.strictObject({
  case_sha256: digest,
  manifest: z.string().meta({ description: 'its bytes as they will stand in the file' }),
  manifest_sha256: digest,
  made_at: isoTime,
  damage: savedDamage,
});

/** A case file that was made and can be downloaded for an hour. */
export const savedCaseAnswer = z.strictObject({
  file_id: z.uuid(),
  bytes,
  sha256: digest,
  signed: z.boolean().meta({ description: "whether an examiner's key signed its manifest" }),
  damage: savedDamage,
});
