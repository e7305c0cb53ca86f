import { chosenReportBody, draftReportBody } from './chosen-reports.ts';
import * as exports from './exports.ts';
import { listOf, page, success } from './fields.ts';
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
  draftReport: {
    ...post,
    ...tag,
    path: '/v1/reports/draft',
    access: 'compliance_auditor',
    status: 200,
    body: draftReportBody,
    answer: 'file',
    summary: 'The data of a report of chosen records, as JSON, to be signed',
  },
  reportOfRecords: {
    ...post,
    ...tag,
    path: '/v1/reports',
    access: 'compliance_auditor',
    status: 200,
    body: chosenReportBody,
    answer: 'file',
    summary: 'A report of chosen records with their proof, as PDF or as HTML that verifies itself',
  },
} as const;
