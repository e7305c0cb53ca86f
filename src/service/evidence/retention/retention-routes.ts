import type { HoldSelection } from '../../../api/index.ts';
import type { NumberRun } from '../../../protocol/index.ts';
import type { Handlers, Member } from '../../http/handler.ts';
import { clockCorrections } from '../../ledger/admin-log/clock-corrections.ts';
import type { OperationSource } from '../../ledger/operations/operation-queries.ts';
import type { LedgerReads } from '../../search/queries/ledger-reads.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import { type Holds, listHolds, placeHold, releaseHold } from './holds.ts';
import { describeRetention } from './record-retention.ts';
import { changeRules, describeRules } from './stored-rules.ts';
import type { Sweeps } from './sweeps.ts';

interface RetentionDeps extends WriteAccess, OperationSource {
  readonly content: LedgerReads;
  readonly holds: Holds;
  readonly sweeps: Sweeps;
  /** Sequence numbers of a case's records in this ledger. @throws ServiceError NOT_FOUND, CONFLICT, VALIDATION_ERROR */
  readonly recordsOfCase: (caller: Member, caseId: string) => Promise<NumberRun[]>;
}

/** How long payloads are kept, legal holds, and sweeps. */
export function retentionRoutes(deps: RetentionDeps) {
  const { store, writer, content, holds, sweeps, recordsOfCase, now } = deps;
  const runsOf = async (caller: Member, selection: HoldSelection): Promise<NumberRun[] | null> =>
    selection.kind === 'case' ? recordsOfCase(caller, selection.case_id) : null;
  return {
    retentionRules: ({ caller }) => ({ body: describeRules(store, caller.orgId) }),
    setRetentionRules: async ({ caller, body }) => ({ body: await changeRules(deps, caller, body.rules) }),
    listHolds: ({ caller }) => ({ body: { holds: listHolds(store, caller.orgId) } }),
    placeHold: async ({ caller, body: { selection, reason } }) => {
      const { orgId, userId: actor } = caller;
      const runs = await runsOf(caller, selection);
      // A crash after it leaves a hold without its answer: it is listed and in force, which erases too little and not too much.
      const hold = await writer.transact((store) =>
        placeHold(store, { orgId, actor, reason, now: now() }, selection, runs),
      );
      return { body: { hold } };
    },
    countHeld: async ({ caller, body: { selection, after }, signal }) => {
      const runs = (await runsOf(caller, selection)) ?? [];
      const { orgId } = caller;
      const corrections = clockCorrections(store, orgId);
      const reader = { orgId, signal: signal() };
      return { body: await content.askNow(reader, 'heldRecords', selection, runs, corrections, after) };
    },
    releaseHold: async ({ caller, body: { reason }, param }) => {
      const { orgId, userId: actor } = caller;
      const holdId = param('hold_id');
      const hold = await writer.transact((store) => releaseHold(store, { orgId, actor, reason, now: now() }, holdId));
      holds.forget(holdId);
      return { body: { hold } };
    },
    listSweeps: ({ caller }) => ({ body: { sweeps: sweeps.list(caller.orgId) } }),
    getSweep: ({ caller, param }) => ({ body: { sweep: sweeps.get(caller.orgId, param('sweep_id')) } }),
    beginSweep: async ({ caller, body }) => ({ body: { sweep: await sweeps.begin(caller, body.dry_run) } }),
    stopSweep: async ({ caller, param }) => ({ body: { sweep: await sweeps.stop(caller, param('sweep_id')) } }),
    retentionCertificate: ({ caller, param }) => ({
      jsonText: sweeps.certificate(caller.orgId, param('sweep_id')),
    }),
    operationRetention: ({ caller, param }) => {
      const asked = { orgId: caller.orgId, operationId: param('operation_id'), now: now() };
      return { body: describeRetention(deps, holds, asked) };
    },
  } satisfies Partial<Handlers>;
}
