import type { ExportJob } from '../../api/answers.ts';
import { DownloadButton } from '../../components/download-button.tsx';
import { DOWNLOADS } from './texts.ts';

interface DownloadsProps {
  readonly job: ExportJob;
  readonly small?: boolean;
}

/** The file of an export, in the forms it can be had in. */
export function Downloads({ job, small = false }: DownloadsProps) {
  if (job.status !== 'completed') return null;
  const params = { export_id: job.exportId };
  const button = { file: 'downloadExport', ...(small ? { className: 'button-small', tabIndex: -1 } : {}) } as const;
  /** Where there is little room, the form alone. */
  const words = (form: string) => ({
    'aria-label': (small ? DOWNLOADS.fileOf : DOWNLOADS.downloadOf)(form, job.createdAt),
    children: small ? form : DOWNLOADS.download(form),
  });
  if (job.format === 'pdf') return <DownloadButton {...button} input={{ params }} {...words('.pdf')} />;
  return (
    <>
      <DownloadButton {...button} input={{ params }} {...words('.csbundle')} />
      <DownloadButton {...button} input={{ params, query: { encoding: 'gzip' } }} {...words('.gz')} />
    </>
  );
}
