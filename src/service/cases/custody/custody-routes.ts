import { z } from 'zod';
import { LIMITS } from '../../../api/index.ts';
import { readCursor } from '../../http/cursor.ts';
import type { Handlers } from '../../http/handler.ts';
import { logOf } from '../case-file.ts';
import { askCase } from '../case-ledger.ts';
import type { Cases } from '../cases.ts';
import { keyState, type RegisteredKeys } from './registered-keys.ts';

const entryPlace = z.int().min(1);

/** The log of what was done with a case. */
export function custodyRoutes(cases: Cases, keysOf: RegisteredKeys) {
  return {
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
  } satisfies Partial<Handlers>;
}
