import type { ExportJob } from '../../api/answers.ts';
import { Mark } from '../../components/mark.tsx';
import { Icon } from '../../ui/icons.tsx';
import { count } from '../../ui/time.tsx';
import { EXPORT_STATE } from './texts.ts';

/** How an export stands: how far it is, that it is there, or that it failed. A file that is there is not verified by that. */
export function ExportState({ job }: { readonly job: ExportJob }) {
  if (job.status === 'processing') {
    return (
      <span className="job-progress">
        <progress aria-label={EXPORT_STATE.progress} max={1} value={job.progress} />
        <span className="number">{Math.floor(job.progress * 100)} %</span>
      </span>
    );
  }
  if (job.status === 'failed') return <Mark outcome="fail" word={EXPORT_STATE.failed} />;
  return (
    <span className="mark">
      <Icon name="outbox" />
      {EXPORT_STATE.ready}
    </span>
  );
}

/** How many records it has, so far or in the end. */
export function recordsText({ status, recordCount }: ExportJob): string {
  return status === 'failed' ? '–' : count(recordCount);
}

export const FORMAT_NAMES: Readonly<Record<ExportJob['format'], string>> = {
  json: EXPORT_STATE.bundle,
  pdf: EXPORT_STATE.pdfReport,
};
