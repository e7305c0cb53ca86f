import type { ReactNode } from 'react';
import { describePages, type PagesCheck, type VerificationReport } from '../../protocol/index.ts';
import { saveFile } from '../api/save-file.ts';
import { PagesBanner } from './pages-banner.tsx';
import { Report } from './report.tsx';
import { VERDICT } from './texts.ts';

interface WindowReportProps {
  readonly report: VerificationReport;
  /** What is known of the pages, where the file is a PDF. */
  readonly pages: PagesCheck | null;
  /** Name of the file that was verified. */
  readonly file: string;
  /** What stands right below the verdict. */
  readonly lead?: ReactNode;
}

/** The report of a verification in this window, which can be saved: it stands nowhere else. */
export function WindowReport({ report, pages, file, lead }: WindowReportProps) {
  const saved = pages === null ? report : { ...report, pages: { ...pages, ...describePages(pages) } };
  const content = `${JSON.stringify(saved, null, 2)}\n`;
  return (
    <>
      {pages !== null && <PagesBanner pages={pages} />}
      <Report
        report={report}
        lead={lead}
        actions={
          <button type="button" onClick={() => saveFile(`${file}.report.json`, content, 'application/json')}>
            {VERDICT.save}
          </button>
        }
      />
    </>
  );
}
