import { z } from 'zod';
import { OPERATION_TYPE_PATTERN, parseTime } from '../protocol/index.ts';
import { agentId, digest, id, isoTime, name, time } from './fields.ts';
import { LIMITS } from './limits.ts';

const format = z.enum(['json', 'pdf']);

/** Names and addresses of people, each as somebody may have typed it. */
export const peopleNames = z.array(name(LIMITS.retention.person)).max(LIMITS.people);

/**
 * What an export withholds: payloads by agent, by operation type, or because they have a value at a pointer or name somebody; of a salted
 * payload the members that do.
 */
export const redaction = z.strictObject({
  agent_ids: z.array(agentId).max(LIMITS.redaction).default([]),
  operation_types: z.array(z.string().regex(OPERATION_TYPE_PATTERN)).max(LIMITS.redaction).default([]),
  pointers: z
    .array(
      z
        .string()
        .max(1024)
        .regex(/^(\/([^~]|~[01])*)*$/u, 'must be a JSON Pointer (RFC 6901)'),
    )
    .max(LIMITS.redaction)
    .default([]),
  names: peopleNames.default([]).meta({ description: 'people of whom nothing is shown that can be withheld' }),
  linked: z
    .boolean()
    .default(false)
    .meta({ description: 'also the payloads of records that have one of the names outside their payload' }),
});

/** Which administrative events an export shows; what it does not show is withheld by hash. */
export const adminEventsChoice = z
  .enum(['all', 'agents'])
  .default('all')
  .meta({ description: 'agents: only events about the agents in the export; the others are withheld by hash' });

/** Why an export withholds what it withholds; the administrative log keeps it. */
export const withholdingReason = z
  .string()
  .trim()
  .min(1)
  .max(LIMITS.withholdingReason)
  .meta({ description: 'why something is withheld' });

/** Whether a report is to print what a summary leaves to the attached bundle. */
const details = z.boolean().meta({
  description: `of a PDF: whether it prints every record; where left out, of up to ${LIMITS.detailedRecords} records`,
});

/** The query of a report as PDF: `details=true` for one that prints every record, however many there are. */
export const reportQuery = z.strictObject({ details: z.literal('true').optional() });

/** The query of a download: `encoding=gzip` for a file compressed with gzip. */
export const downloadQuery = z.strictObject({ encoding: z.literal('gzip').optional() });

export const createExportBody = z
  .strictObject({
    startTime: time,
    endTime: time,
    agentId: agentId.optional(),
    format: format.default('json'),
    redact: redaction.optional(),
    admin_events: adminEventsChoice,
    reason: withholdingReason.exactOptional(),
    details: details.exactOptional(),
  })
  .refine(({ format, details: whole }) => whole === undefined || format === 'pdf', {
    path: ['details'],
    message: 'goes with format pdf',
  })
  .refine(({ startTime, endTime }) => parseTime(startTime) < parseTime(endTime), {
    path: ['endTime'],
    message: 'must be later than startTime',
  });

/** What an export would hold is asked for with what it is asked for with. */
export const previewExportBody = z.strictObject({ startTime: time, endTime: time, agentId: agentId.optional() });

const eventsShown = z.strictObject({
  shown: z.int(),
  withheld: z.int(),
  mail_addresses: z.int().meta({ description: 'how many people, in the events that are shown, have an address' }),
  webhook_addresses: z.int(),
  addresses: z
    .array(z.string())
    .max(LIMITS.previewedAddresses)
    .meta({ description: 'these addresses, those of persons first, as far as there is room' }),
});

const agentInExport = z.strictObject({
  agent_id: z.string(),
  display_name: z.string(),
  records: z.int(),
  more_records: z.boolean().meta({ description: 'there are more than were counted' }),
});

export const exportPreview = z.strictObject({
  records: z.int(),
  more_records: z.boolean().meta({ description: 'there are more than were counted' }),
  agents: z.strictObject({
    listed: z.int().meta({ description: 'agents whose names and keys the export lists, deleted ones among them' }),
    with_records: z.array(agentInExport).meta({ description: 'those of which it holds records' }),
    not_examined: z.int().meta({ description: 'further agents, beyond those that were looked into' }),
  }),
  admin_events: z.strictObject({
    all: eventsShown,
    agents: eventsShown,
    not_examined: z.int().meta({ description: 'further events, beyond those that were looked into' }),
  }),
});
export type ExportPreview = z.infer<typeof exportPreview>;

/** A place of the file that has a name. */
const placeInFile = z.strictObject({
  place: z.string().meta({ description: 'JSON Pointer into the bundle, with `*` for any element of an array' }),
  count: z.int().min(1),
});

export const exportStatus = z.enum(['processing', 'completed', 'failed']);
export type ExportStatus = z.infer<typeof exportStatus>;

export const exportAccepted = z.strictObject({ exportId: id, status: exportStatus, createdAt: isoTime });

/** Export job; times are ISO 8601. */
export const exportJob = z.strictObject({
  ...exportAccepted.shape,
  format,
  details: details.exactOptional(),
  recordCount: z.int().min(0).meta({ description: 'so far, while the job is processing' }),
  startTime: isoTime.meta({ description: 'the range of server_received_at, from here' }),
  endTime: isoTime.meta({ description: 'and before this' }),
  agentId: agentId.optional().meta({ description: 'where only the records of one agent were asked for' }),
  redactedCount: z.int().min(0).meta({ description: 'records whose payload is withheld or was erased' }),
  withholding: redaction
    .extend({
      admin_events: adminEventsChoice,
      reason: withholdingReason.exactOptional(),
      names_digest: digest.exactOptional().meta({
        description:
          'what the administrative log has of the names: SHA-256 of the canonical JSON of `{"names", "salt"}`',
      }),
      names_salt: z.string().exactOptional(),
      names_kept: z.array(placeInFile).exactOptional().meta({
        description: 'once the file is made: where it still has one of the names; empty where it has none',
      }),
    })
    .exactOptional()
    .meta({ description: 'what was asked to be withheld, where anything was' }),
  progress: z.number().min(0).max(1).meta({ description: 'how far the job is' }),
  completedAt: isoTime.optional(),
  failure: z.string().optional().meta({ description: 'why the job failed' }),
});
export type ExportJob = z.infer<typeof exportJob>;
