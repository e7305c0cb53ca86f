// docs/interface.md, Authentication: a browser fetches a file by a ticket, for which a cookie alone is not enough.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DownloadTickets } from '../../src/service/http/download-tickets.ts';
import { expectError, send } from '../support/client.ts';
import { type Account, eventsOf, exportOf, registerAgent, submitNext, TestService } from '../support/service.ts';

const service = await TestService.start();
const owner = await service.signUp();
await submitNext(owner, await registerAgent(owner));
const exportId = await exportOf(owner);
const path = `/v1/exports/${exportId}/download`;
const secret = randomBytes(32).toString('base64url');

async function signInAsPage({ email, password }: Account): Promise<Record<string, string>> {
  const own = { origin: service.url, 'x-countersign-page': secret };
  const request = { method: 'POST', path: '/api/auth/sign-in/email', body: JSON.stringify({ email, password }) };
  const { headers } = await send(service.url, { ...request, headers: own });
  return { ...own, cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '' };
}

const page = await signInAsPage(owner);

async function ticketFor(file: string, headers = page): Promise<string> {
  const request = { method: 'POST', path: '/v1/download-tickets', body: JSON.stringify({ path: file }), headers };
  const answer = await send(service.url, request);
  if (answer.status !== 201) throw new Error(answer.bytes.toString());
  return (answer.body as { path: string }).path;
}

const fetchFile = (at: string, headers: Record<string, string> = {}, method = 'GET') =>
  send(service.url, { method, path: at, headers });

describe('a ticket', () => {
  it('gives the file once, to a browser that sends nothing but its cookie, and is noted as the person who asked', async () => {
    const { cookie = '' } = page;
    const at = await ticketFor(path);
    const answer = await fetchFile(at, { cookie, 'sec-fetch-site': 'same-origin' });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="[^"]+\.csbundle"/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect((await eventsOf(owner, 'export.download'))[0]).toMatchObject({ actor: owner.userId, target_id: exportId });
    expectError(await fetchFile(at), 'UNAUTHORIZED', 'ticket');
  });

  it('gives it once to many who come at the same time', async () => {
    const at = await ticketFor(path);
    const answers = await Promise.all(Array.from({ length: 5 }, () => fetchFile(at)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401]);
  });

  it('is for the very file and form that it was asked for, and spent by another', async () => {
    for (const change of [
      (at: string) => at.replace('?', '?encoding=gzip&'),
      (at: string) => at.replace(exportId, '00000000-0000-4000-8000-000000000000'),
      (at: string) => `/v1/verifier?${at.split('?')[1]}`,
    ]) {
      const at = await ticketFor(path);
      expectError(await fetchFile(change(at)), 'UNAUTHORIZED', 'ticket');
      expectError(await fetchFile(at), 'UNAUTHORIZED', 'ticket');
    }
    const packed = await fetchFile(await ticketFor(`${path}?encoding=gzip`));
    expect(packed.headers['content-type']).toContain('gzip');
  });

  it('cannot be had without the page whose session it is, nor from a page elsewhere', async () => {
    const { cookie = '', origin = '' } = page;
    const request = { method: 'POST', path: '/v1/download-tickets', body: JSON.stringify({ path }) };
    expectError(await send(service.url, { ...request, headers: { cookie, origin } }), 'UNAUTHORIZED');
    const foreign = { ...page, origin: 'http://127.0.0.1:1' };
    expectError(await send(service.url, { ...request, headers: foreign }), 'FORBIDDEN');
    expectError(await fetchFile(path, { cookie }), 'UNAUTHORIZED');
  });

  it('gives nobody more than they have when it is used', async () => {
    const reader = service.addMember(owner, 'compliance_auditor');
    const headers = { authorization: `Bearer ${reader.client.token}` };
    const demoted = await ticketFor(path, headers as unknown as typeof page);
    await owner.client.ok('changeRole', {
      params: { user_id: reader.userId },
      body: { role: 'readonly_investigator' },
    });
    expectError(await fetchFile(demoted), 'FORBIDDEN');
    const stranger = await service.signUpGuest('stranger');
    const theirs = { authorization: `Bearer ${stranger.client.token}` };
    expectError(await fetchFile(await ticketFor(path, theirs as unknown as typeof page)), 'NOT_FOUND');
    const leaving = await signInAsPage(owner);
    const left = await ticketFor(path, leaving);
    await send(service.url, { method: 'POST', path: '/api/auth/sign-out', headers: leaving });
    expectError(await fetchFile(left), 'UNAUTHORIZED');
  });

  it('is only for files, and spent by GET alone', async () => {
    const body = (of: string) => JSON.stringify({ path: of });
    for (const of of ['/v1/agents', '/v1/exports', '//evil.example/', 'https://evil.example/', `${path}/more`, '']) {
      const request = { method: 'POST', path: '/v1/download-tickets', body: body(of), headers: page };
      expectError(await send(service.url, request), 'VALIDATION_ERROR', 'path');
    }
    const at = await ticketFor(path);
    expect((await fetchFile(at, {}, 'HEAD')).status).toBe(401);
    expect((await fetchFile(at)).status).toBe(200);
    expectError(await fetchFile(`/v1/agents?ticket=${'A'.repeat(43)}`), 'UNAUTHORIZED');
    expectError(await fetchFile(`${path}?ticket=${'A'.repeat(43)}`), 'UNAUTHORIZED', 'ticket');
  });
});

describe('the tickets that are kept', () => {
  const credentials = {
    from: '',
    authorization: null,
    sessions: ['a token'],
    workstations: [],
    page: null,
    pageSecret: null,
    browser: '',
  };

  it('end after a minute, and are bounded', () => {
    let now = 0;
    const tickets = new DownloadTickets(() => now);
    const first = tickets.issue('/a', credentials, 'one');
    now = 59_999;
    const second = tickets.issue('/a', credentials, 'one');
    expect(tickets.redeem(first, '/a')).toEqual(credentials);
    now = 59_999 + 60_000;
    expect(() => tickets.redeem(second, '/a')).toThrow('ticket');
    const many = Array.from({ length: 1001 }, () => tickets.issue('/a', credentials, 'one'));
    expect(() => tickets.redeem(many[0] ?? '', '/a')).toThrow('ticket');
    expect(tickets.redeem(many[1] ?? '', '/a')).toEqual(credentials);
  });

  it('are those of others too, however many one organization asks for', () => {
    const tickets = new DownloadTickets(() => 0);
    const home = tickets.issue('/a', credentials, 'home');
    for (let n = 0; n < 3000; n++) tickets.issue('/a', credentials, 'guest');
    const later = tickets.issue('/b', credentials, 'home');
    for (let n = 0; n < 3000; n++) tickets.issue('/a', credentials, 'guest');
    expect(tickets.redeem(home, '/a')).toEqual(credentials);
    expect(tickets.redeem(later, '/b')).toEqual(credentials);
  });
});
