import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { isBucket, openRunStore, type RunPlace, type RunStore } from '../../service/light.ts';
import { type Option, type ParsedArgs, UsageError } from '../command.ts';

/** How help calls the place of an archive. */
export const ARCHIVE_VALUE = 'FOLDER|s3://BUCKET/PREFIX';

export const S3_OPTION: Option = {
  flag: 's3-endpoint',
  value: 'URL',
  help: "address of an object store other than Amazon's; or AWS_ENDPOINT_URL_S3",
};

export const S3_NOTE =
  'For a bucket, the key is read from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or from ~/.aws/credentials (AWS_PROFILE, AWS_SHARED_CREDENTIALS_FILE), and the region from AWS_REGION.';

/** Where the archive is that was named. @param spool folder for runs that are sent to a bucket or come from one @throws UsageError */
export function archivePlace(named: string | undefined, args: ParsedArgs, spool: string): RunPlace {
  if (named === undefined) throw new UsageError(`name the archive: ${ARCHIVE_VALUE}`);
  const at = isBucket(named) ? named : resolve(named);
  return { at, spool, s3: { endpoint: args.text('s3-endpoint') } };
}

/** The archive that was named. @throws UsageError, ArchiveError */
export async function archiveAt(named: string | undefined, args: ParsedArgs, spool = tmpdir()): Promise<RunStore> {
  return openRunStore(archivePlace(named, args, spool));
}
