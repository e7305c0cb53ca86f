import { Menu } from '@base-ui/react/menu';
import { useMutation } from '@tanstack/react-query';
import { LIMITS } from '../../../api/index.ts';
import { sentenceOf } from '../../api/call.ts';
import { download } from '../../api/download.ts';
import { pagesOf } from '../../lib/report-pages.ts';
import { count } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { DETAILED_REPORT } from './texts.ts';

/** Saves the report with every record printed, where it is a summary otherwise. @param records null where that is not known */
export function DetailedReport({ caseId, records }: { readonly caseId: string; readonly records: number | null }) {
  const save = useMutation({
    mutationFn: () => download('caseReportPdf', { params: { case_id: caseId }, query: { details: 'true' } }),
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  if (records === null || records <= LIMITS.detailedRecords) return null;
  const { from, to } = pagesOf(records);
  return (
    <Menu.Item className="menu-item" onClick={() => save.mutate()}>
      {DETAILED_REPORT.save(count(records), count(from), count(to))}
    </Menu.Item>
  );
}
