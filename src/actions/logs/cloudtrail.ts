import { exactJsonText } from '../../protocol/light.ts';
import { instantOf, readJsonLog } from './json-log.ts';
import { isMember, type LogReader, MAX_ARG, textOf } from './log-event.ts';

/** A log file of AWS CloudTrail: `{"Records": […]}`, unpacked. */
export const cloudtrail: LogReader = {
  kind: 'cloudtrail',
  title: 'AWS CloudTrail',
  source: 'AWS CloudTrail User Guide, "CloudTrail record contents" and "CloudTrail log file examples"',
  recognises: (head) => /^\s*\{\s*"Records"\s*:\s*\[\s*\{/.test(head) && head.includes('"eventSource"'),
  read: (texts) =>
    readJsonLog(texts, 2, (record) => {
      const at = instantOf(record['eventTime']);
      if (at === null) return 'a record without a time';
      const identity = isMember(record['userIdentity']) ? record['userIdentity'] : {};
      const name = textOf(record['eventName']);
      const service = textOf(record['eventSource']);
      const parameters = record['requestParameters'];
      return {
        kind: 'api',
        at,
        id: textOf(record['eventID']) ?? textOf(record['requestID']) ?? String(record['eventTime']),
        host: textOf(record['sourceIPAddress']),
        user: textOf(identity['userName']) ?? textOf(identity['arn']) ?? textOf(identity['type']),
        pid: null,
        parentPid: null,
        program: [service, name].filter((part) => part !== null).join(' ') || null,
        args: isMember(parameters) ? [exactJsonText(parameters).slice(0, MAX_ARG)] : [],
        isOneText: true,
        path: null,
        succeeded: record['errorCode'] === undefined,
      };
    }),
};
