import { z } from 'zod';
import { parseTime } from '../protocol/index.ts';
import { agentId, id, isoTime, time } from './fields.ts';

const format = z.enum(['json', 'pdf']);

export const createExportBody = z
  .strictObject({ startTime: time, endTime: time, agentId: agentId.optional(), format: format.default('json') })
  .refine(({ startTime, endTime }) => parseTime(startTime) < parseTime(endTime), {
    path: ['endTime'],
    message: 'must be later than startTime',
  });

export const exportStatus = z.enum(['processing', 'completed', 'failed']);
export type ExportStatus = z.infer<typeof exportStatus>;

export const exportAccepted = z.strictObject({ exportId: id, status: exportStatus, createdAt: isoTime });

/** Export job; times are ISO 8601. */
export const exportJob = z.strictObject({
  ...exportAccepted.shape,
  format,
  recordCount: z.int().min(0).meta({ description: '0 until the job is completed' }),
  completedAt: isoTime.optional(),
});
export type ExportJob = z.infer<typeof exportJob>;
