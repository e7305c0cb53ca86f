import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ArchiveError } from './archive-error.ts';

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** A bucket, and where in it an archive is. */
export interface S3Target {
  readonly bucket: string;
  /** Empty, or ending with a slash. */
  readonly prefix: string;
  readonly region: string;
  /** Null for Amazon's own address of the region. */
  readonly endpoint: string | null;
  readonly credentials: S3Credentials;
}

/** What was given besides the address; the rest is in the environment. */
export interface S3Given {
  /** Address of a service other than Amazon's. */
  readonly endpoint?: string | null | undefined;
  readonly credentials?: S3Credentials | null | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The credentials of a profile in a file as Amazon's own programs keep them; null where it has none. */
function fromFile(environment: Environment): S3Credentials | null {
  const named = environment['AWS_SHARED_CREDENTIALS_FILE'];
  let text: string;
  try {
    text = readFileSync(named ?? join(homedir(), '.aws', 'credentials'), 'utf8');
  } catch {
    return null;
  }
  const profile = environment['AWS_PROFILE'] ?? 'default';
  const values = new Map<string, string>();
  let isOfProfile = false;
  for (const line of text.split(/\r?\n/)) {
    const [, section] = /^\s*\[(?:profile\s+)?([^\]]*)\]/.exec(line) ?? [];
    const [, name, value] = /^\s*([a-z_]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (section !== undefined) isOfProfile = section.trim() === profile;
    else if (isOfProfile && name !== undefined && value !== undefined) values.set(name, value);
  }
  return credentialsOf(
    values.get('aws_access_key_id'),
    values.get('aws_secret_access_key'),
    values.get('aws_session_token'),
  );
}

function credentialsOf(accessKeyId = '', secretAccessKey = '', sessionToken?: string): S3Credentials | null {
  if (accessKeyId === '' || secretAccessKey === '') return null;
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
}

/**
 * A bucket by its address `s3://BUCKET/PREFIX` and what the environment says of it, by the names that Amazon's own programs read.
 * @throws ArchiveError ARCHIVE_UNUSABLE, CREDENTIALS_MISSING
 */
export function s3Target(to: string, given: S3Given = {}, environment: Environment = process.env): S3Target {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([^?#]*))?$/.exec(to) ?? [];
  const folders = path.split('/').filter((part) => part !== '');
  if (bucket === undefined || folders.some((part) => part === '.' || part === '..')) {
    throw new ArchiveError('ARCHIVE_UNUSABLE', `${to}: is no bucket; write s3://BUCKET or s3://BUCKET/PREFIX`);
  }
  const endpoint = given.endpoint ?? environment['AWS_ENDPOINT_URL_S3'] ?? environment['AWS_ENDPOINT_URL'] ?? '';
  if (endpoint !== '' && !/^https?:\/\/[^/?#@]+\/?$/.test(endpoint)) {
    throw new ArchiveError(
      'ARCHIVE_UNUSABLE',
      `${endpoint}: is no address of an object store, such as https://s3.example.org`,
    );
  }
  const credentials =
    given.credentials ??
    credentialsOf(
      environment['AWS_ACCESS_KEY_ID'],
      environment['AWS_SECRET_ACCESS_KEY'],
      environment['AWS_SESSION_TOKEN'],
    ) ??
    fromFile(environment);
  if (credentials === null) {
    const message = `no credentials for s3://${bucket}: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or keep them in ~/.aws/credentials`;
    throw new ArchiveError('CREDENTIALS_MISSING', message);
  }
  return {
    bucket,
    prefix: folders.map((part) => `${part}/`).join(''),
    region: environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION'] || 'us-east-1',
    endpoint: endpoint === '' ? null : endpoint,
    credentials,
  };
}
