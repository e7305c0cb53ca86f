import type { VerificationReport } from '../../protocol/index.ts';
import { saveFile } from '../service/save-file.ts';
import { Report } from './report.tsx';

interface WindowReportProps {
  readonly report: VerificationReport;
  /** Name of the file that was verified. */
  readonly file: string;
}

/** The report of a verification in this window, which can be saved: it stands nowhere else. */
export function WindowReport({ report, file }: WindowReportProps) {
  const content = `${JSON.stringify(report, null, 2)}\n`;
  return (
    <Report
      report={report}
      actions={
        <button type="button" onClick={() => saveFile(`${file}.report.json`, content, 'application/json')}>
          Save the report
        </button>
      }
    />
  );
}
