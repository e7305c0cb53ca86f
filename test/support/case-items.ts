import type { AnswerOf, Role } from '../../src/api/index.ts';
import {
  type CaseSubject,
  caseSignature,
  caseSignedBytes,
  publicKeyOf,
  signEd25519,
  thumbprint,
  toBase64Url,
} from '../../src/protocol/index.ts';
import { padding, TAR_END, tarHeader } from '../../src/reports/case-file/index.ts';
import { derived } from './bundle-maker.ts';
import { uploadOf } from './cases.ts';
import type { Client, FileToUpload } from './client.ts';
import type { Account, TestService } from './service.ts';
import { until } from './until.ts';

export type Item = AnswerOf<'listItems'>['items'][number];

/** Somebody who works on cases with a key of their own, as a window has it. */
export interface Examiner extends Account {
  readonly publicKey: Uint8Array;
  readonly sign: (subject: CaseSubject, at?: number) => ReturnType<typeof caseSignature>;
}

/** A signer under an address, whose key nobody registered. */
export function signerOf(email: string, label = email) {
  const seed = derived(label);
  const publicKey = publicKeyOf(seed);
  return {
    publicKey,
    sign: (subject: CaseSubject, at = Date.now()) => {
      const by = { signer: email, signed_at: new Date(at).toISOString() };
      return caseSignature(publicKey, by, signEd25519(seed, caseSignedBytes(subject, thumbprint(publicKey), by)));
    },
  };
}

/** An examiner whose decision key the service knows. */
export async function registered(service: TestService, account: Account): Promise<Examiner> {
  const signer = signerOf(account.email);
  service.sql.prepare('UPDATE sessions SET proved_at = ? WHERE user_id = ?').run(Date.now(), account.userId);
  const body = {
    kid: `window-${thumbprint(signer.publicKey).slice(0, 16)}`,
    public_key: toBase64Url(signer.publicKey),
    algorithm: 'ed25519',
  };
  await account.client.ok('addDecisionKey', { body });
  return { ...account, ...signer };
}

export function examiner(service: TestService, owner: Account, role: Role = 'compliance_auditor'): Promise<Examiner> {
  return registered(service, service.addMember(owner, role));
}

/** Signs all entries that somebody made and did not sign yet. @returns how many the service kept */
export async function signOwn({ client, email, sign }: Examiner, caseId: string, caseSha256: string): Promise<number> {
  const { data, log_id } = await client.ok('custody', { params: { case_id: caseId }, query: { limit: '200' } });
  const own = data.filter(({ entry, signature }) => entry?.by === email && signature === 'unsigned');
  if (own.length === 0) return 0;
  const signatures = own.map(({ entry_no, entry_hash }) => {
    const subject = {
      type: 'countersign.custody-signature.v1',
      case_sha256: caseSha256,
      entry_no,
      entry_hash,
      ...(log_id === null ? {} : { log_id }),
    } as const;
    return { entry_no, entry_hash, signature: sign(subject) };
  });
  return (await client.ok('signCustody', { params: { case_id: caseId }, body: { signatures } })).signed;
}

/** Puts a file into a case. */
export async function addItem(client: Client, caseId: string, file: FileToUpload): Promise<Item> {
  const { upload_id } = await uploadOf(client, file);
  return client.ok('addItem', { params: { case_id: caseId }, body: { upload_id } });
}

/** The items of a case, once each of them was looked at and the case has its verdict. */
export function itemsOf(client: Client, caseId: string): Promise<readonly Item[]> {
  return until('the items of a case', async () => {
    const { items, checking } = await client.ok('listItems', { params: { case_id: caseId } });
    const isReproduced = items.every(({ stated }) => stated === null || stated.reproduced !== null);
    if (checking > 0 || !isReproduced) return false;
    return !(await client.ok('getCase', { params: { case_id: caseId } })).checking_items && items;
  });
}

/** Saves a case as a file, sealed by an examiner or by nobody. */
export async function saveCase(client: Client, caseId: string, sealer: Examiner | null): Promise<Buffer> {
  const params = { case_id: caseId };
  let sealed: object | undefined;
  if (sealer !== null) {
    const { case_sha256, manifest_sha256, made_at } = await client.ok('draftCase', { params });
    const signature = sealer.sign({ type: 'countersign.case-signature.v1', case_sha256, manifest_sha256 });
    sealed = { made_at, manifest_sha256, signature };
  }
  const { file_id } = await client.ok('saveCase', { params, body: sealed === undefined ? {} : { sealed } });
  const { status, bytes } = await client.call('savedCase', { params: { ...params, file_id } });
  if (status !== 200) throw new Error(`savedCase: ${status}`);
  return bytes;
}

/** Opens a case file. */
export async function openCase(client: Client, bytes: Buffer, body: object = {}) {
  const { upload_id } = await uploadOf(client, { name: 'moved.cscase', bytes });
  return client.call('openCase', { body: { upload_id, ...body } });
}

/** An entry of a case file, to be changed. */
export interface Entry {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The entries of a case file as it was made. */
export function entriesOf(file: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; file[at] !== 0; ) {
    const name = file.toString('latin1', at, file.indexOf(0, at));
    const size = Number.parseInt(file.toString('latin1', at + 124, at + 135), 8);
    entries.push({ name, bytes: file.subarray(at + 512, at + 512 + size) });
    at += 512 + size + padding(size);
  }
  return entries;
}

/** An archive of entries, whatever they are called. */
export function archiveOf(entries: readonly Entry[]): Buffer {
  const parts = entries.flatMap(({ name, bytes }) => [
    tarHeader(name, bytes.length),
    bytes,
    Buffer.alloc(padding(bytes.length)),
  ]);
  return Buffer.concat([...parts, TAR_END]);
}
