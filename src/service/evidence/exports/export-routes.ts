import { basename } from 'node:path';
import { z } from 'zod';
import { VERIFIER_FILE } from '../../../node/light.ts';
import { askedPage } from '../../http/cursor.ts';
import type { Handlers } from '../../http/handler.ts';
import type { Store } from '../../store/open.ts';
import type { Exports } from './export-jobs.ts';
import { previewExport } from './export-preview.ts';

interface ExportDeps {
  readonly exports: Exports;
  readonly store: Store;
}

const place = z.strictObject({ createdAt: z.int(), exportId: z.string() });

export function exportRoutes({ exports, store }: ExportDeps) {
  return {
    createExport: async ({ body, caller }) => {
      const { exportId, status, createdAt } = await exports.create(caller.orgId, caller.userId, body);
      return { body: { exportId, status, createdAt } };
    },
    previewExport: ({ body, caller }) => ({ body: previewExport(store, caller.orgId, body) }),
    listExports: ({ caller: { orgId }, query }) => ({
      body: askedPage(
        query,
        place,
        (behind, most) => exports.list(orgId, behind, most),
        ({ createdAt, exportId }) => ({ createdAt: Date.parse(createdAt), exportId }),
      ),
    }),
    getExport: ({ caller, param }) => ({ body: exports.get(caller.orgId, param('export_id')) }),
    deleteExport: async ({ caller, param }) => {
      await exports.delete(caller.orgId, caller.userId, param('export_id'));
      return { body: { success: true } };
    },
    downloadExport: async ({ caller, param, query }) => {
      const { path, format, baseName: name } = await exports.download(caller.orgId, caller.userId, param('export_id'));
      if (format === 'pdf') return { file: path, fileName: `${name}.pdf`, contentType: 'application/pdf' };
      return query.encoding === 'gzip'
        ? { file: path, fileName: `${name}.csbundle.gz`, contentType: 'application/gzip', compress: 'file' }
        : { file: path, fileName: `${name}.csbundle`, contentType: 'application/json', compress: 'transfer' };
    },
    verifier: () => ({ file: VERIFIER_FILE, fileName: basename(VERIFIER_FILE), contentType: 'text/javascript' }),
  } satisfies Partial<Handlers>;
}
