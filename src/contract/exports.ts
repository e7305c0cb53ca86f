import { z } from 'zod';
import { parseTime } from '../protocol/index.ts';
import { agentId, time } from './fields.ts';

export const createExportBody = z
  .strictObject({
    startTime: time,
    endTime: time,
    agentId: agentId.optional(),
    format: z.enum(['json', 'pdf']).default('json'),
  })
  .refine(({ startTime, endTime }) => parseTime(startTime) < parseTime(endTime), {
    path: ['endTime'],
    message: 'must be later than startTime',
  });

export type ExportStatus = 'processing' | 'completed' | 'failed';

/** Export job; times are ISO 8601. */
export interface ExportJob {
  readonly exportId: string;
  readonly status: ExportStatus;
  readonly format: 'json' | 'pdf';
  readonly recordCount: number | null;
  readonly createdAt: string;
  readonly completedAt?: string;
}
