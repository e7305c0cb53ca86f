import { type ExactJson, isMembers } from '../../protocol/light.ts';
import { type Body, list, object, text } from '../tools/index.ts';
import type { TranscriptCall } from './items.ts';

/** What it writes of a call that was not carried out, or that failed, in place of the tool's output. */
const REFUSED =
  /^(?:exec_command failed(?: for `[^`]*`)?: (?:CreateProcess|Sandbox)[^"]*"?Rejected\(|(?:exec command|patch) rejected by user$|patch rejected: )/s;
const FAILED =
  /^(?:unsupported call: |unsupported custom tool call: |failed to parse function arguments: |exec_command failed|write_stdin failed|apply_patch verification failed|unable to )/;
/** The text that the model is told. */
export function toldOf(output: ExactJson | undefined): string {
  if (typeof output === 'string') return output;
  const parts = list(object({ text }))(output);
  if (parts !== undefined) return parts.map((part) => part.text ?? '').join('\n');
  const content = isMembers(output) ? output['content'] : undefined;
  return typeof content === 'string' ? content : '';
}

/**
 * What a command printed, in the text for the model: hooks are given it without its head, and of a longer one another part.
 */
export function printedIn(told: string): string | undefined {
  const [head = '', ...printed] = told.split('\nOutput:\n');
  const isCommand = head.startsWith('Chunk ID: ') && printed.length > 0;
  return isCommand && !/\d+ tokens truncated/.test(told) ? printed.join('\nOutput:\n') : undefined;
}

/** Whether a call of the shell or of a patch was stopped: this is all that its model learns then, and what one printed has a head. */
export function wasAborted(told: string): boolean {
  return /^(?:Wall time: \d+\.\d seconds\naborted by user|aborted by user after \d+\.\ds)$/.test(told);
}

export function outcomeOf(tool: string, told: string, exit: string | undefined): TranscriptCall['outcome'] {
  if (REFUSED.test(told)) return 'denied';
  if (FAILED.test(told)) return 'failed';
  if (exit !== undefined) return exit === '0' ? 'completed' : 'failed';
  if (tool === 'exec' && /^Script (?:completed|failed)\n/.test(told)) {
    return told.startsWith('Script completed') ? 'completed' : 'failed';
  }
  // What is typed is taken, whatever the program that reads it makes of it.
  return tool === 'write_stdin' && told.startsWith('Chunk ID: ') ? 'completed' : 'unknown';
}

/** How a call of an MCP server ended that its event calls failed: who was asked for it may have said no, or nothing. */
export function outcomeOfMcp(error: ExactJson | undefined): TranscriptCall['outcome'] {
  const said = isMembers(error) ? error['message'] : error;
  if (said === 'user rejected MCP tool call') return 'denied';
  return said === 'user cancelled MCP tool call' ? 'cancelled' : 'failed';
}

/** What a shell was given, of the words that it was started with. */
export function commandOf(words: readonly string[] | undefined): string {
  const isLine = words?.length === 3 && /^-l?c$/.test(words[1] ?? '');
  return isLine ? (words[2] ?? '') : (words ?? []).join(' ');
}

export function durationOf(
  duration: { readonly secs: number | undefined; readonly nanos: number | undefined } | undefined,
) {
  return duration === undefined ? null : Math.round((duration.secs ?? 0) * 1000 + (duration.nanos ?? 0) / 1e6);
}

/** The most files of one patch. */
const MAX_CHANGED = 256;

export function changedIn(changes: ExactJson | undefined): TranscriptCall['changed'] {
  const named: Body = isMembers(changes) ? changes : {};
  return Object.entries(named)
    .slice(0, MAX_CHANGED)
    .map(([path, how]) => ({ path, access: isMembers(how) && how['type'] === 'delete' ? 'delete' : 'write' }));
}
