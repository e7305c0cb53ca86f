import type { ExportJob } from '../../service/answers.ts';
import { addressOf } from '../../service/call.ts';

interface DownloadsProps {
  readonly job: ExportJob;
  readonly small?: boolean;
}

/** The file of an export, in the forms it can be had in. */
export function Downloads({ job, small = false }: DownloadsProps) {
  if (job.status !== 'completed') return null;
  const params = { export_id: job.exportId };
  const className = small ? 'button button-small' : 'button';
  const verb = small ? '' : 'Download ';
  const plain = addressOf('downloadExport', { params });
  const made = `the export of ${job.createdAt}`;
  if (job.format === 'pdf') {
    return (
      <a className={className} href={plain} download aria-label={`${verb}.pdf of ${made}`} tabIndex={small ? -1 : 0}>
        {verb}.pdf
      </a>
    );
  }
  return (
    <>
      <a
        className={className}
        href={plain}
        download
        aria-label={`${verb}.csbundle of ${made}`}
        tabIndex={small ? -1 : 0}
      >
        {verb}.csbundle
      </a>
      <a
        className={className}
        href={addressOf('downloadExport', { params, query: { encoding: 'gzip' } })}
        download
        aria-label={`${verb}.gz of ${made}`}
        tabIndex={small ? -1 : 0}
      >
        {verb}.gz
      </a>
    </>
  );
}
