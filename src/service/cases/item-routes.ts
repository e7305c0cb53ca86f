import { z } from 'zod';
import { type CustodyAction, LIMITS } from '../../api/index.ts';
import {
  type CaseSignature,
  examinerState,
  fingerprintDigits,
  formatTime,
  type JsonObject,
  parseTime,
} from '../../protocol/index.ts';
import { readCursor } from '../http/cursor.ts';
import { fileNameOf } from '../http/file-names.ts';
import type { Handlers } from '../http/handler.ts';
import { ServiceError } from '../store/base/service-error.ts';
import { logOf, ownerOf } from './case-file.ts';
import { askCase } from './case-ledger.ts';
import { pagesOf } from './case-view.ts';
import type { Cases } from './cases.ts';
import type { Examiners } from './custody/examiner.ts';
import { keyState, type RegisteredKeys } from './custody/registered-keys.ts';
import { firstItem } from './items/first-item.ts';
import type { ReportSigner } from './items/item-file.ts';
import { mayChange } from './scope.ts';
import type { SealedCases } from './sealed/sealed-cases.ts';

interface ItemDeps {
  readonly cases: Cases;
  readonly sealed: SealedCases;
  readonly examinerOf: Examiners;
  readonly keysOf: RegisteredKeys;
  readonly now: () => number;
}

type Asked = Parameters<typeof askCase>[1];

/** A signature says when it was made by another clock than ours: so far the two may be apart, in milliseconds. */
const MAX_CLOCK_GAP_MS = 600_000;

/** Of the bytes of an item no program but the reader's own choice says what they are: a browser saves them. */
const OPAQUE = 'application/octet-stream';

/** From where on, and how many. */
function partOf({ cursor, limit = LIMITS.page.default }: { cursor?: string | undefined; limit?: number | undefined }) {
  return [readCursor(cursor, z.int().min(1)) ?? 0, limit] as const;
}

function itemNoOf(call: Asked): number {
  const text = call.param('item_no');
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new ServiceError('NOT_FOUND', 'there is no such item in this case');
  return Number(text);
}

/** Items of cases, signatures of the custody log, and cases as files. */
export function itemRoutes({ cases, sealed, examinerOf, keysOf, now }: ItemDeps) {
  const aboutOf = (call: Asked) => cases.store.find(call, call.param('case_id'));
  const examiner = (call: Asked) => examinerOf(call.caller, aboutOf(call));
  const noteCustody = async (call: Asked, action: CustodyAction, details: JsonObject): Promise<void> => {
    if (!mayChange(call, ownerOf(aboutOf(call)))) return;
    await askCase(cases, call, 'writeCustody', examiner(call), action, details);
  };
  /** Who signs: a person in a session, with an active key of their own. @throws ServiceError FORBIDDEN, VALIDATION_ERROR */
  const signerOf = (call: Asked, signatures: readonly CaseSignature[]): string => {
    const { caller } = call;
    const { by } = examiner(call);
    if (caller === null || by === null || caller.by !== 'session') {
      throw new ServiceError('FORBIDDEN', 'to sign needs a session of the person who signs');
    }
    for (const { public_key: publicKey, signed_at: at, signer } of signatures) {
      const isOwn = keysOf(caller.orgId, publicKey).some(({ email, status }) => email === by && status === 'active');
      if (!isOwn || signer !== by) {
        throw new ServiceError('FORBIDDEN', 'the key is no active decision key of the person who is signed in');
      }
      if (Math.abs(parseTime(at) - now()) > MAX_CLOCK_GAP_MS) {
        throw new ServiceError('VALIDATION_ERROR', 'signed_at: is more than ten minutes from the time of the service');
      }
    }
    return by;
  };
  return {
    listItems: async (call) => {
      const keyOf = ({ kid, examiner, public_key }: ReportSigner) =>
        keyState(call.caller === null ? [] : keysOf(call.caller.orgId, public_key), ({ name, email }) => {
          const person = `${name} <${email}>`;
          return examinerState([{ key: fingerprintDigits(kid).join(''), person }], kid, examiner) === 'named';
        });
      return { body: await cases.items.list(call, call.param('case_id'), keyOf) };
    },
    addItem: async (call) => ({
      body: await cases.items.add(call, call.param('case_id'), call.body, examiner(call)),
    }),
    removeItem: async (call) => {
      await cases.items.remove(call, call.param('case_id'), itemNoOf(call), examiner(call));
      return { body: { success: true } };
    },
    itemJudgement: async (call) => ({
      jsonText: await cases.items.judgement(call, call.param('case_id'), itemNoOf(call)),
    }),
    itemFile: async (call) => {
      const { path, name } = await cases.items.file(call, call.param('case_id'), itemNoOf(call));
      await noteCustody(call, 'item.save', { item_no: itemNoOf(call), name });
      return { file: path, fileName: name, contentType: OPAQUE };
    },
    caseFoundFiles: async (call) => ({ body: await askCase(cases, call, 'foundFiles', ...partOf(call.query)) }),
    caseFoundNotes: async (call) => ({
      body: await askCase(cases, call, 'foundNotes', call.query.item_no, ...partOf(call.query)),
    }),
    caseFoundDifferences: async (call) => ({
      body: await askCase(cases, call, 'foundDifferences', ...partOf(call.query)),
    }),
    caseFoundAction: async (call) => {
      const { created_by: by, created_at } = aboutOf(call);
      const imported = { by, at: formatTime(created_at) };
      return { body: await askCase(cases, call, 'foundAction', call.param('operation_id'), imported) };
    },
    compareItems: async (call) => {
      const { item_no: one, with: other } = call.body;
      const body = await cases.items.compare(call, call.param('case_id'), one, other);
      await noteCustody(call, 'items.compare', { item_no: one, with: other });
      return { body };
    },
    signCustody: async (call) => {
      const about = cases.store.findToChange(call, call.param('case_id'));
      const { signatures } = call.body;
      const signer = signerOf(
        call,
        signatures.map(({ signature }) => signature),
      );
      return { body: { signed: await askCase(cases, call, 'signCustody', logOf(about), signer, signatures) } };
    },
    draftCase: async (call) => ({
      body: await sealed.draft(call, call.param('case_id'), examiner(call).by),
    }),
    saveCase: async (call) => {
      const given = call.body.sealed ?? null;
      if (given !== null) signerOf(call, [given.signature]);
      const body = await sealed.save(call, call.param('case_id'), examiner(call).by, given);
      const { sha256, bytes, signed } = body;
      await noteCustody(call, 'case.save', { file_sha256: sha256, bytes, signed });
      return { body };
    },
    savedCase: (call) => {
      const { path, name } = sealed.file(call, call.param('case_id'), call.param('file_id'));
      return { file: path, fileName: fileNameOf(['case', name], '.cscase'), contentType: OPAQUE };
    },
    openCase: async (call) => ({
      body: await sealed.open(call, call.body, examinerOf(call.caller, { sha256: '', case_id: '' })),
    }),
    caseCertificate: async (call) => {
      const about = cases.store.findReady(call, call.param('case_id'));
      const { name, sha256, report } = about;
      const html = await askCase(cases, call, 'certificate', {
        of: logOf(about),
        about: {
          name,
          sha256,
          orgId: report?.bundle.org_id ?? null,
          isPinned: report?.issuer.pinned === true,
          pages: pagesOf(about),
          kind: about.kind,
          verified_at: about.verified_at,
          verdict: report?.verdict ?? null,
        },
        first: firstItem(about),
        madeAt: now(),
      });
      await noteCustody(call, 'certificate.make', {});
      const fileName = fileNameOf(['certificate-draft', about.name], '.html').slice(-LIMITS.caseName * 2);
      return { content: new TextEncoder().encode(html), fileName, contentType: OPAQUE };
    },
  } satisfies Partial<Handlers>;
}
