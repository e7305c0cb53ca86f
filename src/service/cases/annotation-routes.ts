import { z } from 'zod';
import { LIMITS } from '../../api/index.ts';
import { readCursor } from '../http/cursor.ts';
import type { Handlers } from '../http/handler.ts';
import { logOf } from './case-file.ts';
import { askCase } from './case-ledger-routes.ts';
import type { Cases } from './cases.ts';
import type { Examiners } from './custody/examiner.ts';
import { keyState, type RegisteredKeys } from './custody/registered-keys.ts';

type AnnotationHandlers = Pick<
  Handlers,
  'listAnnotations' | 'getAnnotation' | 'annotate' | 'annotateMany' | 'removeAnnotation' | 'custody'
>;

const entryPlace = z.int().min(1);

/** What investigators write about the records of a case, and the log of what they did. */
export function annotationRoutes(cases: Cases, examinerOf: Examiners, keysOf: RegisteredKeys): AnnotationHandlers {
  return {
    listAnnotations: async (call) => {
      const { cursor, limit = LIMITS.page.default, operation_id: operationId, bookmarked } = call.query;
      const asked = { after: readCursor(cursor, z.string()) ?? '', limit, bookmarked: bookmarked === 'true' };
      return { body: await askCase(cases, call, 'annotations', asked, operationId) };
    },
    getAnnotation: async (call) => ({ body: await askCase(cases, call, 'annotation', call.param('operation_id')) }),
    annotate: async (call) => {
      const examiner = examinerOf(call.caller, cases.store.findToChange(call, call.param('case_id')));
      return { body: await askCase(cases, call, 'annotate', call.param('operation_id'), call.body, examiner) };
    },
    annotateMany: async (call) => {
      const examiner = examinerOf(call.caller, cases.store.findToChange(call, call.param('case_id')));
      return { body: await askCase(cases, call, 'annotateMany', call.body, examiner) };
    },
    removeAnnotation: async (call) => {
      const examiner = examinerOf(call.caller, cases.store.findToChange(call, call.param('case_id')));
      await askCase(cases, call, 'removeAnnotation', call.param('operation_id'), examiner);
      return { body: { success: true } };
    },
    custody: async (call) => {
      const { cursor, limit = LIMITS.page.default, operation_id: operationId } = call.query;
      const about = cases.store.find(call, call.param('case_id'));
      const before = readCursor(cursor, entryPlace);
      const { dataText, ...log } = await askCase(cases, call, 'custody', logOf(about), { before, limit, operationId });
      const examiners = log.examiners.map(({ publicKey, first: _, last: __, ...one }) => {
        const holders = call.caller === null ? [] : keysOf(call.caller.orgId, publicKey);
        const key = keyState(holders, ({ email }) => email === one.signer);
        return { ...one, key, registered: key === 'active' };
      });
      const allRegistered = log.examiners_total === examiners.length && examiners.every(({ registered }) => registered);
      const rest = { ...log, examiners, all_registered: allRegistered };
      return { jsonText: `{"data":${dataText},${JSON.stringify(rest).slice(1)}` };
    },
  };
}
