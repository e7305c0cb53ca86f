import type { ExportJob } from '../../api/answers.ts';
import { DownloadButton } from '../../components/download-button.tsx';

interface DownloadsProps {
  readonly job: ExportJob;
  readonly small?: boolean;
}

/** The file of an export, in the forms it can be had in. */
export function Downloads({ job, small = false }: DownloadsProps) {
  if (job.status !== 'completed') return null;
  const params = { export_id: job.exportId };
  const verb = small ? '' : 'Download ';
  const made = `the export of ${job.createdAt}`;
  const button = { file: 'downloadExport', ...(small ? { className: 'button-small', tabIndex: -1 } : {}) } as const;
  if (job.format === 'pdf') {
    return (
      <DownloadButton {...button} input={{ params }} aria-label={`${verb}.pdf of ${made}`}>
        {verb}.pdf
      </DownloadButton>
    );
  }
  return (
    <>
      <DownloadButton {...button} input={{ params }} aria-label={`${verb}.csbundle of ${made}`}>
        {verb}.csbundle
      </DownloadButton>
      <DownloadButton {...button} input={{ params, query: { encoding: 'gzip' } }} aria-label={`${verb}.gz of ${made}`}>
        {verb}.gz
      </DownloadButton>
    </>
  );
}
