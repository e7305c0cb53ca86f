import { z } from 'zod';
import { askedPage } from '../http/cursor.ts';
import { fileNameOf } from '../http/file-names.ts';
import type { Handlers } from '../http/handler.ts';
import { noteCustody } from './case-ledger.ts';
import type { CaseReports } from './case-reports.ts';
import type { Cases } from './cases.ts';
import type { Comparisons } from './comparisons.ts';
import type { Examiners } from './custody/examiner.ts';

const place = z.strictObject({ createdAt: z.int(), caseId: z.string() });

interface CaseDeps {
  readonly cases: Cases;
  readonly comparisons: Comparisons;
  readonly reports: CaseReports;
  readonly examinerOf: Examiners;
}

export function caseRoutes(deps: CaseDeps) {
  const { cases, comparisons, reports, examinerOf } = deps;
  return {
    inspectFile: async (call) => ({
      body: await cases.uploads.take(call, call.query.name ?? 'unnamed file', call.upload()),
    }),
    deleteUpload: async (call) => {
      await cases.uploads.drop(call, call.param('upload_id'));
      return { body: { success: true } };
    },
    createCase: async (call) => ({
      body: await cases.create(call, call.body, examinerOf(call.caller, { sha256: '', case_id: '' })),
    }),
    listCases: (call) => ({
      body: askedPage(
        call.query,
        place,
        (behind, most) => cases.list(call, behind, most),
        ({ created_at, case_id: caseId }) => ({ createdAt: Date.parse(created_at), caseId }),
      ),
    }),
    getCase: (call) => ({ body: cases.get(call, call.param('case_id')) }),
    renameCase: async (call) => {
      const body = await cases.rename(call, call.param('case_id'), call.body.name);
      await noteCustody(deps, call, 'case.rename', { name: call.body.name });
      return { body };
    },
    deleteCase: async (call) => {
      await cases.delete(call, call.param('case_id'));
      return { body: { success: true } };
    },
    cancelCase: async (call) => ({ body: await cases.cancel(call, call.param('case_id')) }),
    verifyCase: async (call) => {
      const { trusted_kids: kids } = call.body;
      const body = await cases.verifyAgain(call, call.param('case_id'), kids);
      await noteCustody(deps, call, 'case.verify', kids === undefined ? {} : { trusted_kids: [...kids] });
      return { body };
    },
    caseReport: async (call) => ({ jsonText: await reports.text(call, call.param('case_id')) }),
    caseCoherence: async (call) => ({ jsonText: await reports.coherenceText(call, call.param('case_id')) }),
    caseReportPdf: async (call) => {
      const details = call.query.details === 'true' ? { details: true } : {};
      const file = await reports.pdf(call, call.param('case_id'), details.details);
      await noteCustody(deps, call, 'report.make', { format: 'pdf', ...details });
      const fileName = fileNameOf(['case', cases.get(call, call.param('case_id')).name, 'report'], '.pdf');
      return { file, fileName, contentType: 'application/pdf', temporary: true };
    },
    caseReportJson: async (call) => {
      const file = await reports.json(call, call.param('case_id'));
      await noteCustody(deps, call, 'report.make', { format: 'json' });
      const fileName = fileNameOf(['case', cases.get(call, call.param('case_id')).name, 'report'], '.json');
      return { file, fileName, contentType: 'application/json', temporary: true };
    },
    compareCase: (call) => ({ body: comparisons.begin(call, call.param('case_id'), call.body.with) }),
    getComparison: (call) => ({
      body: comparisons.get(call, call.param('case_id'), call.param('comparison_id')),
    }),
  } satisfies Partial<Handlers>;
}
