import { z } from 'zod';
import { type ChosenReportBody, LIMITS } from '../../contract/index.ts';
import { listPage, readCursor } from '../http/cursor.ts';
import { fileNameOf } from '../http/file-names.ts';
import type { FileAnswer, Handlers } from '../http/handler.ts';
import type { CaseReports } from './case-reports.ts';
import type { Cases } from './cases.ts';
import type { Comparisons } from './comparisons.ts';

const place = z.strictObject({ createdAt: z.int(), caseId: z.string() });

type CaseHandlers = Pick<
  Handlers,
  | 'inspectFile'
  | 'deleteUpload'
  | 'createCase'
  | 'listCases'
  | 'getCase'
  | 'renameCase'
  | 'deleteCase'
  | 'cancelCase'
  | 'verifyCase'
  | 'caseReport'
  | 'caseCoherence'
  | 'caseReportPdf'
  | 'caseReportJson'
  | 'caseReportOfRecords'
  | 'reportOfRecords'
  | 'compareCase'
  | 'getComparison'
>;

/** A report of chosen records as an answer, named by its title. */
function chosenFile({ title, format }: ChosenReportBody, file: string): FileAnswer {
  const contentType = format === 'pdf' ? 'application/pdf' : 'text/html; charset=utf-8';
  return { file, fileName: fileNameOf(['report', title], `.${format}`), contentType, temporary: true };
}

export function caseRoutes(cases: Cases, comparisons: Comparisons, reports: CaseReports): CaseHandlers {
  return {
    inspectFile: async (call) => ({
      body: await cases.uploads.take(call, call.query.name ?? 'unnamed file', call.upload()),
    }),
    deleteUpload: async (call) => {
      await cases.uploads.drop(call, call.param('upload_id'));
      return { body: { success: true } };
    },
    createCase: async (call) => ({ body: await cases.create(call, call.body) }),
    listCases: (call) => {
      const limit = call.query.limit ?? LIMITS.page.default;
      const found = cases.list(call, readCursor(call.query.cursor, place), limit + 1);
      const placeOf = ({ created_at, case_id }: (typeof found)[number]) => ({
        createdAt: Date.parse(created_at),
        caseId: case_id,
      });
      return { body: listPage(found, limit, placeOf) };
    },
    getCase: (call) => ({ body: cases.get(call, call.param('case_id')) }),
    renameCase: async (call) => ({ body: await cases.rename(call, call.param('case_id'), call.body.name) }),
    deleteCase: async (call) => {
      await cases.delete(call, call.param('case_id'));
      return { body: { success: true } };
    },
    cancelCase: async (call) => ({ body: await cases.cancel(call, call.param('case_id')) }),
    verifyCase: async (call) => ({
      body: await cases.verifyAgain(call, call.param('case_id'), call.body.trusted_kids),
    }),
    caseReport: async (call) => ({ jsonText: await reports.text(call, call.param('case_id')) }),
    caseCoherence: async (call) => ({ jsonText: await reports.coherenceText(call, call.param('case_id')) }),
    caseReportPdf: async (call) => ({
      file: await reports.pdf(call, call.param('case_id')),
      fileName: fileNameOf(['case', cases.get(call, call.param('case_id')).name, 'report'], '.pdf'),
      contentType: 'application/pdf',
      temporary: true,
    }),
    caseReportJson: async (call) => ({
      file: await reports.json(call, call.param('case_id')),
      fileName: fileNameOf(['case', cases.get(call, call.param('case_id')).name, 'report'], '.json'),
      contentType: 'application/json',
      temporary: true,
    }),
    caseReportOfRecords: async (call) =>
      chosenFile(call.body, await reports.ofRecords(call, call.param('case_id'), call.body)),
    reportOfRecords: async ({ body, caller }) =>
      chosenFile(body, await reports.ofLedger(caller.orgId, caller.userId, body)),
    compareCase: (call) => ({ body: comparisons.begin(call, call.param('case_id'), call.body.with) }),
    getComparison: (call) => ({
      body: comparisons.get(call, call.param('case_id'), call.param('comparison_id')),
    }),
  };
}
