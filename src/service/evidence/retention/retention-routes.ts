import type { HoldSelection, RecordRetention } from '../../../api/index.ts';
import { DAY_MS, formatTime, type NumberRun } from '../../../protocol/index.ts';
import type { Handlers, Member } from '../../http/handler.ts';
import { clockCorrections } from '../../ledger/admin-log/clock-corrections.ts';
import { findOperation, type OperationSource } from '../../ledger/operations/operation-queries.ts';
import type { LedgerReads } from '../../search/queries/ledger-reads.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import { type Holds, listHolds, placeHold, releaseHold } from './holds.ts';
import { RecordTexts } from './record-texts.ts';
import { decidingRule } from './rules.ts';
import { changeRules, describeRules, rulesOf } from './stored-rules.ts';
import type { Sweeps } from './sweeps.ts';

/** The latest time that is shown: days beyond it are for good. */
const LATEST = Date.UTC(9999, 11, 31);

function timeAfter(receivedAt: number, days: number): string | null {
  const time = receivedAt + days * DAY_MS;
  return time > LATEST ? null : formatTime(time);
}

/**
 * How long the payload of one record is kept: by which rule, until when, and what holds it.
 * @throws ServiceError NOT_FOUND
 */
function describeRetention(
  source: OperationSource,
  holds: Holds,
  { orgId, operationId, now }: { readonly orgId: string; readonly operationId: string; readonly now: number },
): RecordRetention {
  const { store } = source;
  const head = findOperation(source, orgId, operationId);
  const record = new RecordTexts(store, head);
  const rules = rulesOf(store, orgId);
  const rule = rules[decidingRule(rules, record)];
  const over = holds.over(store, record);
  const isErased = record.state === 'erased';
  const ceiling = rule?.ceiling_days ?? null;
  const isDue = ceiling !== null && head.receivedAt + Math.max(ceiling, rule?.floor_days ?? 0) * DAY_MS < now;
  return {
    operation_id: head.operationId,
    seq_no: head.seqNo,
    state: isErased ? 'erased' : over.length > 0 ? 'held' : isDue ? 'due' : 'kept',
    rule: rule?.name ?? null,
    not_before: rule === undefined ? null : timeAfter(head.receivedAt, rule.floor_days),
    due_at: ceiling === null ? null : timeAfter(head.receivedAt, ceiling),
    holds: over.map(({ holdId, kind, placedAt }) => ({ hold_id: holdId, kind, placed_at: formatTime(placedAt) })),
  };
}

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
