import * as exports from './exports.ts';
import { listOf, page, success } from './fields.ts';
import { overLive } from './ledger-routes.ts';
import { rowsOf } from './route.ts';

const auditor = rowsOf({ tag: 'Exports', access: 'compliance_auditor' });

/** Exports: rows of the one table (routes.ts). */
export const EXPORT_ROUTES = {
  createExport: {
    ...auditor.post,
    path: '/v1/exports',
    byActive: true,
    status: 202,
    body: exports.createExportBody,
    answer: exports.exportAccepted,
    summary: 'Make an export, as a job',
  },
  previewExport: {
    ...auditor.ask,
    path: '/v1/exports/preview',
    body: exports.previewExportBody,
    answer: exports.exportPreview,
    summary: 'What an export would hold: records, and whose addresses its administrative events show',
  },
  listExports: {
    ...auditor.get,
    path: '/v1/exports',
    byActive: true,
    query: page,
    answer: listOf(exports.exportJob),
    summary: 'List the exports, newest first',
  },
  getExport: {
    ...auditor.get,
    path: '/v1/exports/:export_id',
    byActive: true,
    answer: exports.exportJob,
    summary: 'State of an export',
  },
  deleteExport: {
    ...auditor.remove,
    path: '/v1/exports/:export_id',
    byActive: true,
    answer: success,
    summary: 'Delete an export with its file',
  },
  downloadExport: {
    ...auditor.get,
    path: '/v1/exports/:export_id/download',
    byActive: true,
    query: exports.downloadQuery,
    answer: 'file',
    summary: 'The file of a completed export',
  },
  ...overLive('draftReport', 'reportOfRecords', 'recordFile'),
} as const;
