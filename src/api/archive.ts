import { z } from 'zod';
import { isoTime } from './fields.ts';

/** Why a file of an archive is not accepted; run-refusals.ts has what each says to a person, which the first page does without. */
const refusalCode = z.enum([
  'changed',
  'missing',
  'second',
  'foreign',
  'unconfirmed',
  'set_back',
  'erasure',
  'superseded',
  'awaits_host',
  'incomplete',
]);
export type RunRefusalCode = z.infer<typeof refusalCode>;

const count = z.int().min(0);

/** A file that was refused, or an accepted one that is no longer what it was. */
export const refusedRun = z.strictObject({
  path: z.string().meta({ description: "from the archive's folder" }),
  code: refusalCode,
  findings: z.array(z.string()).meta({ description: 'codes of what the verifier found' }),
});

/** What a case over the runs of an archive has at present. */
export const archiveState = z.strictObject({
  organizations: z.array(z.string()).meta({ description: 'whose ledgers are read here' }),
  ledgers: count,
  runs: count.meta({ description: 'accepted and in the index' }),
  waiting: count.meta({ description: 'runs that are accepted and not in the index yet' }),
  records: count,
  indexed_to: count.meta({ description: 'records up to this number are found by searches' }),
  refused: z.array(refusedRun).meta({ description: 'up to 1,000' }),
  engine: z
    .strictObject({ state: z.enum(['ready', 'behind', 'away']), runs: count.meta({ description: 'filled in' }) })
    .nullable()
    .default(null)
    .meta({
      description: 'the search engine that counts; null where there is none. While it is not ready, the own index does',
    }),
  looked_at: isoTime.nullable().meta({ description: 'when the archive was last looked at to the end; null before' }),
});
export type ArchiveState = z.infer<typeof archiveState>;

/** A ledger of an archive, as far as its runs were accepted. */
export const archivedLedger = z.strictObject({
  issuer: z.string().meta({ description: 'first service key of its host' }),
  organization: z.string(),
  organization_name: z.string(),
  runs: count,
  records: count,
  last_epoch_no: count,
  last_received_at: isoTime.meta({ description: 'when its host received the last of these records' }),
});
export type ArchivedLedger = z.infer<typeof archivedLedger>;
export const archivedLedgers = z.strictObject({ ledgers: z.array(archivedLedger) });
