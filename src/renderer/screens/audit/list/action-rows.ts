import type { ActionRow, LedgerRow } from '../../../api/ledger/ledger.ts';

/** An action as a row of the list: by its first record, with what all its records come to. */
export function rowOfAction(action: ActionRow): LedgerRow {
  const { operation_id, seq_no, agent_id, operation_type, subject, tags, bookmarked } = action;
  return {
    operation_id,
    seq_no,
    agent_id,
    operation_type,
    subject,
    action: action.action,
    issued_at: action.started_at,
    server_received_at: action.started_received_at,
    tags,
    bookmarked,
    details: {
      summary: action.title,
      session: action.session,
      phase: action.kind,
      call: action.call,
      tool: action.tool,
      outcome: action.outcome,
      error: action.error,
      duration_ms: action.duration_ms,
      organization: action.organization,
      issuer: action.issuer,
      marks: action.marks,
      read_from: [],
      withheld: action.withheld,
    },
    actionRow: action,
  };
}

/** The records that a row stands for, as reports and files name them. */
export function recordsIn(row: LedgerRow): readonly { readonly operation_id: string; readonly seq_no: number }[] {
  return row.actionRow?.records ?? [row];
}
