import type { ExactJson } from '../../protocol/light.ts';
import type { EndStatus, SeenCall } from '../seen/seen.ts';
import type { AttributeReader } from './attribute-reader.ts';
import type { CallNames } from './dialects.ts';
import type { OtlpSpan } from './model.ts';

type Ending = Required<Pick<SeenCall, 'outcome'>> & { readonly stage: 'completed' | 'failed' | 'refused' };

const DENIALS: readonly ExactJson[] = ['reject', 'rejected', 'deny', 'denied'];

/**
 * How a call ended, by the word of its program: a command that exits with another code than 0 was carried out, unless the program says
 * that it failed.
 */
export function endingOf(
  reader: AttributeReader,
  names: CallNames,
  exitCodeInHeader: number | undefined,
  span?: OtlpSpan,
): Ending {
  const success = reader.flag(names.success);
  const decision = reader.first(names.decision);
  const exception = new Map(span?.events.find(({ name }) => name === 'exception')?.attributes);
  const type = reader.name(names.errorType) ?? exception.get('exception.type');
  const said = reader.first(names.errorMessage) ?? (span?.status.message || exception.get('exception.message'));
  const exitCode = reader.number(names.exitCode) ?? exitCodeInHeader;
  const exit = Number.isSafeInteger(exitCode) ? { exit_code: Number(exitCode) } : {};
  const denied = decision !== undefined && DENIALS.includes(decision);
  const failed = success === false || span?.status.code === 2 || typeof type === 'string';
  if (!denied && (success === true || !failed)) return { stage: 'completed', outcome: { status: 'ok', ...exit } };
  const error = {
    ...(typeof type === 'string' ? { type: type } : {}),
    ...(typeof said === 'string' && said !== '' ? { message: said } : {}),
  };
  const outcome = { ...exit, ...(Object.keys(error).length > 0 ? { error } : {}) };
  if (denied) return { stage: 'refused', outcome: { status: 'denied', ...outcome } };
  return { stage: 'failed', outcome: { status: statusOf(type), ...outcome } };
}

function statusOf(errorType: ExactJson | undefined): EndStatus {
  if (typeof errorType !== 'string') return 'error';
  if (/time_?-?out|deadline/i.test(errorType)) return 'timeout';
  return /cancel|abort/i.test(errorType) ? 'cancelled' : 'error';
}

/**
 * Takes the lines off that a program puts before what a command gave.
 * @param header with the exit code as its first group
 */
export function withoutHeader(
  said: ExactJson | undefined,
  header: RegExp | undefined,
): { readonly output: ExactJson | undefined; readonly exitCode: number | undefined } {
  const match = typeof said === 'string' ? header?.exec(said) : null;
  if (typeof said !== 'string' || match == null) return { output: said, exitCode: undefined };
  return { output: said.slice(match[0].length), exitCode: match[1] === undefined ? undefined : Number(match[1]) };
}
