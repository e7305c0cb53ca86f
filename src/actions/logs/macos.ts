import { instantOf, namesIn, readJsonLog } from './json-log.ts';
import { type LogReader, pidOf, textOf } from './log-event.ts';

/** `sudo` and `su` write the command into their message: `ada : TTY=ttys001 ; PWD=/Users/ada ; USER=root ; COMMAND=/bin/ls -l`. */
function commandIn(message: string): { readonly folder: string; readonly command: string } | null {
  const begin = message.search(/\bPWD=/);
  const end = begin < 0 ? -1 : message.indexOf(' ; ', begin);
  const command = end < 0 ? -1 : message.indexOf('COMMAND=', end);
  if (command < 0) return null;
  return { folder: message.slice(begin + 'PWD='.length, end), command: message.slice(command + 'COMMAND='.length) };
}

/** The unified log of macOS, as `log show --style ndjson` or `--style json` prints it. */
export const macos: LogReader = {
  kind: 'macos',
  title: 'macOS unified log',
  source: 'log(1), log show --style json; Apple Developer, "Logging" (OSLogEntryLog)',
  recognises: (head) => namesIn(head, 'processImagePath', 'eventMessage', 'timestamp'),
  read: (texts) =>
    readJsonLog(texts, null, (entry) => {
      const { timestamp, processImagePath, eventMessage, processID, userID, machTimestamp, traceID } = entry;
      // What log show writes last says how many entries there were.
      if (processImagePath === undefined) return null;
      const at = instantOf(timestamp);
      if (at === null) return 'an entry without a time with its offset';
      const { folder = null, command } = commandIn(textOf(eventMessage) ?? '') ?? {};
      const told = textOf(eventMessage);
      return {
        kind: command === undefined ? 'message' : 'process',
        at,
        id: String(traceID ?? machTimestamp ?? timestamp),
        host: null,
        user: typeof userID === 'number' ? String(userID) : null,
        pid: pidOf(processID),
        parentPid: null,
        program: command === undefined ? textOf(processImagePath) : (command.split(' ')[0] ?? null),
        args: command === undefined ? (told === null ? [] : [told]) : [command],
        isOneText: true,
        path: folder,
        succeeded: null,
      };
    }),
};
