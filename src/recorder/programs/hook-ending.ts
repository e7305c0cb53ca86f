import { nameOf } from '../../actions/tools/index.ts';
import type { EndStatus, SeenCall } from '../seen/seen.ts';

/** How a call ended: its stage, and what is known of the outcome. */
export interface Ending {
  readonly stage: 'completed' | 'failed' | 'refused';
  readonly outcome?: NonNullable<SeenCall['outcome']>;
}

export interface Failure {
  readonly type?: string | undefined;
  readonly message?: string | undefined;
  /** How it failed, where not simply by an error. */
  readonly status?: Exclude<EndStatus, 'ok'> | undefined;
  readonly exitCode?: number | undefined;
}

/** Carried out, and nobody says how it ended. */
export const CARRIED_OUT: Ending = { stage: 'completed', outcome: { status: 'unknown' } };

/**
 * Carried out, and the program calls it a success. A command that ended with another code than 0 may be one: the code says so.
 * @param exitCode of a shell's command, where the program tells it
 */
export function succeeded(exitCode?: number): Ending {
  return { stage: 'completed', outcome: { status: 'ok', ...(exitCode !== undefined && { exit_code: exitCode }) } };
}

export function failed({ type, message, status = 'error', exitCode }: Failure): Ending {
  const typeName = nameOf(type);
  const error = {
    ...(typeName !== undefined && { type: typeName }),
    ...(message !== undefined && message !== '' && { message: message.toWellFormed() }),
  };
  return {
    stage: status === 'denied' || status === 'blocked' ? 'refused' : 'failed',
    outcome: {
      status,
      ...(exitCode !== undefined && { exit_code: exitCode }),
      ...(Object.keys(error).length > 0 && { error }),
    },
  };
}
