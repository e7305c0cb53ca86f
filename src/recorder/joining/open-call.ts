import type { Json } from '../../protocol/light.ts';
import type { Redaction } from '../redact/redaction.ts';
import type { EndStatus, SeenCall, SeenTool, Touched, WitnessSource } from '../seen/seen.ts';

/** A content of the profile, and the keyed digest by which equal ones are known. */
export interface KeptContent {
  readonly content: { readonly [member: string]: Json };
  readonly same: string;
  /** Which members the value has, or of which type it is: a witness that names other members tells it in another form. */
  readonly shape: string;
  /** What was replaced in it, by where it stands below the content. */
  readonly redactions: readonly Redaction[];
}

/** What tells two contents apart, without either. */
export type Told = Pick<KeptContent, 'same' | 'shape'>;

type CallError = NonNullable<NonNullable<SeenCall['outcome']>['error']>;

/** What another witness than the first saw of a call. */
export interface HeldWitness {
  readonly source: WitnessSource;
  readonly name: string | null;
  readonly input: KeptContent | null;
  readonly output: KeptContent | null;
  /** Null while that witness has not seen the end. */
  readonly status: EndStatus | null;
  /** When the recorder learned of the end, in milliseconds since the Unix epoch. */
  readonly ended_at: number | null;
  readonly duration_ms: number | null;
  readonly exit_code: number | null;
  /** What went wrong, by that witness. */
  readonly error: CallError | null;
}

/** How a call ended, as it was recorded. */
export interface CallEnd {
  readonly at: number;
  /** Null where the witness saw only that it was carried out. */
  readonly status: EndStatus | null;
  /** Null where no witness told it. */
  readonly exit_code: number | null;
  /** Which witness's word it is. */
  readonly by: WitnessSource;
}

/** What an event says of the call it belongs to. */
export interface CallRef {
  readonly source: WitnessSource;
  readonly session: string | null;
  readonly sub_agent: string | null;
  readonly call_id: string | null;
  readonly tool: SeenTool;
  /** Keyed digest of the input; null where the event has none. */
  readonly input: string | null;
}

/** A call between its first event and its end, and for a while after it. What it says of itself is of its first witness: the one whose words its records are. */
export interface OpenCall extends CallRef {
  readonly action_id: string;
  /** When the recorder learned of it, in milliseconds since the Unix epoch. */
  readonly opened_at: number;
  /** The input itself, until the end: what another witness saw is held against it in one record. */
  readonly given: KeptContent | null;
  readonly input_shape: string | null;
  /** What it touches, and the working folder: its end has the same subject, whoever tells of it. */
  readonly touched: readonly Touched[];
  readonly cwd: string | null;
  /** How far its beginning was recorded. */
  readonly begun: 'not' | 'proposed' | 'started';
  /** Its first record. */
  readonly operation_id: string | null;
  /** The record by which somebody was asked. */
  readonly asked: string | null;
  readonly held: readonly HeldWitness[];
  /** Who reported it after its end. */
  readonly late: readonly WitnessSource[];
  readonly ended: CallEnd | null;
  /** The output that its end was recorded with, where that says its form. */
  readonly gave?: Told;
  /** Whether another witness stated another input or output, in the same form. */
  readonly differs?: true;
}
