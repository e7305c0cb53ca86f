import { z } from 'zod';
import { LIMITS } from '../../contract/index.ts';
import { readCursor } from '../http/cursor.ts';
import type { Handlers } from '../http/handler.ts';
import { askCase } from './case-ledger-routes.ts';
import type { Cases } from './cases.ts';

/** What investigators write about the records of a case. */
export function annotationRoutes(
  cases: Cases,
  now: () => number,
): Pick<Handlers, 'listAnnotations' | 'getAnnotation' | 'annotate' | 'removeAnnotation'> {
  return {
    listAnnotations: async (call) => {
      const { cursor, limit = LIMITS.page.default, operation_id: operationId } = call.query;
      const after = readCursor(cursor, z.string()) ?? '';
      return { body: await askCase(cases, call, 'annotations', after, limit, operationId) };
    },
    getAnnotation: async (call) => ({ body: await askCase(cases, call, 'annotation', call.param('operation_id')) }),
    annotate: async (call) => {
      cases.store.findToChange(call, call.param('case_id'));
      return { body: await askCase(cases, call, 'annotate', call.param('operation_id'), call.body, now()) };
    },
    removeAnnotation: async (call) => {
      cases.store.findToChange(call, call.param('case_id'));
      await askCase(cases, call, 'removeAnnotation', call.param('operation_id'));
      return { body: { success: true } };
    },
  };
}
