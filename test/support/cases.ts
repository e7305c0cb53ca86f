import { expect } from 'vitest';
import type { AnswerOf } from '../../src/api/index.ts';
import { type Answer, Client, type FileToUpload, type RawRequest, send } from './client.ts';
import type { TestService } from './service.ts';
import { until } from './until.ts';

export type Case = AnswerOf<'getCase'>;

/** Calls with the cookie of a workstation session, as a page of the service does. */
export class WorkstationClient extends Client {
  readonly cookie: string;

  constructor(url: string, cookie: string) {
    super(url);
    this.cookie = cookie;
  }

  override send(given: RawRequest): Promise<Answer<unknown>> {
    const headers = { cookie: this.cookie, origin: this.url, ...given.headers };
    return send(this.url, { ...given, headers });
  }
}

/** The code in the link that the service prints. */
export function codeOf(link: string): string {
  return new URL(link).hash.replace(/^.*code=/, '');
}

/** Enters by the link that the service prints, as a client that is no page. */
export async function enterWorkstation(service: TestService): Promise<WorkstationClient> {
  const body = { code: codeOf(service.workstationLink()) };
  const { status, headers } = await service.client().call('enterWorkstation', { body });
  expect(status).toBe(200);
  const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  return new WorkstationClient(service.url, cookie);
}

export interface ImportOptions {
  readonly name?: string;
  readonly receipts?: readonly FileToUpload[];
  readonly trusted_kids?: readonly string[];
}

export async function uploadOf(client: Client, file: FileToUpload): Promise<AnswerOf<'inspectFile'>> {
  const { status, body, bytes } = await client.inspect(file);
  if (status !== 201) throw new Error(`inspect: ${status} ${bytes.toString('utf8').slice(0, 500)}`);
  return body;
}

/** Uploads a file and makes a case of it, without waiting for its import. */
export async function beginCase(
  client: Client,
  file: FileToUpload,
  { receipts = [], ...given }: ImportOptions = {},
): Promise<Case> {
  const { upload_id } = await uploadOf(client, file);
  const receipts_upload_ids: string[] = [];
  for (const one of receipts) receipts_upload_ids.push((await uploadOf(client, one)).upload_id);
  return client.ok('createCase', { body: { upload_id, receipts_upload_ids, ...given } });
}

/** Waits until nothing is under way for a case. */
export function settled(client: Client, caseId: string): Promise<Case> {
  return until('the case', async () => {
    const found = await client.ok('getCase', { params: { case_id: caseId } });
    return found.state !== 'importing' && found.progress === null && found;
  });
}

/** Imports a file to the end. */
export async function importCase(client: Client, file: FileToUpload, given: ImportOptions = {}): Promise<Case> {
  return settled(client, (await beginCase(client, file, given)).case_id);
}
