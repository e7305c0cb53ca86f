import * as exports from './exports.ts';
import { listOf, page, success } from './fields.ts';
import { overLive } from './ledger-routes.ts';
import { get, post, remove } from './route.ts';

const tag = { tag: 'Exports' } as const;

/** Exports: rows of the one table (routes.ts). */
export const EXPORT_ROUTES = {
  createExport: {
    ...post,
    ...tag,
    path: '/v1/exports',
    access: 'compliance_auditor',
    status: 202,
    body: exports.createExportBody,
    answer: exports.exportAccepted,
    summary: 'Make an export, as a job',
  },
  previewExport: {
    ...post,
    ...tag,
    path: '/v1/exports/preview',
    access: 'compliance_auditor',
    status: 200,
    onlyReads: true,
    body: exports.previewExportBody,
    answer: exports.exportPreview,
    summary: 'What an export would hold: records, and whose addresses its administrative events show',
  },
  listExports: {
    ...get,
    ...tag,
    path: '/v1/exports',
    access: 'compliance_auditor',
    query: page,
    answer: listOf(exports.exportJob),
    summary: 'List the exports, newest first',
  },
  getExport: {
    ...get,
    ...tag,
    path: '/v1/exports/:export_id',
    access: 'compliance_auditor',
    answer: exports.exportJob,
    summary: 'State of an export',
  },
  deleteExport: {
    ...remove,
    ...tag,
    path: '/v1/exports/:export_id',
    access: 'compliance_auditor',
    answer: success,
    summary: 'Delete an export with its file',
  },
  downloadExport: {
    ...get,
    ...tag,
    path: '/v1/exports/:export_id/download',
    query: exports.downloadQuery,
    access: 'compliance_auditor',
    answer: 'file',
    summary: 'The file of a completed export',
  },
  ...overLive('draftReport', 'reportOfRecords'),
} as const;
