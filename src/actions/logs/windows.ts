import { instantOf, namesIn, readJsonLog } from './json-log.ts';
import { isMember, type LogReader, pidOf, textOf } from './log-event.ts';

const PROCESS_CREATED = 4688;

/** Where Get-WinEvent has the values of event 4688, by the order of its template (versions 1 and 2). */
const PROPERTIES = { SubjectUserName: 1, NewProcessId: 4, NewProcessName: 5, ProcessId: 7, CommandLine: 8 } as const;

type Members = Readonly<Record<string, unknown>>;

/** A value that a converter of XML put into an object with its attributes. */
function plain(value: unknown): unknown {
  return isMember(value) && '#text' in value ? value['#text'] : value;
}

/** As `Get-WinEvent | ConvertTo-Json` writes it: values by their place. */
function fromPowerShell(entry: Members) {
  const properties: unknown = entry['Properties'];
  const values = Array.isArray(properties)
    ? properties.map((one: unknown) => (isMember(one) ? one['Value'] : one))
    : [];
  const time = entry['TimeCreated'];
  return {
    eventId: Number(entry['Id']),
    record: entry['RecordId'],
    // PowerShell 5 of a date that was changed by a script, and PowerShell 7.
    time: isMember(time) ? (time['value'] ?? time['DateTime']) : time,
    host: entry['MachineName'],
    value: (name: keyof typeof PROPERTIES): unknown => values[PROPERTIES[name]],
  };
}

/** As evtx_dump writes it: the event's XML as JSON. */
function fromXml(event: Members) {
  const system = isMember(event['System']) ? event['System'] : {};
  const data = isMember(event['EventData']) ? event['EventData'] : {};
  const created = isMember(system['TimeCreated']) ? system['TimeCreated'] : {};
  const attributes = isMember(created['#attributes']) ? created['#attributes'] : created;
  return {
    eventId: Number(plain(system['EventID'])),
    record: system['EventRecordID'],
    time: attributes['SystemTime'] ?? attributes['@SystemTime'],
    host: system['Computer'],
    value: (name: keyof typeof PROPERTIES): unknown => plain(data[name]),
  };
}

/** Event 4688 of the Security log of Windows: a new process has been created. Other events are passed over. */
export const windows: LogReader = {
  kind: 'windows',
  title: 'Windows event 4688',
  source:
    'Microsoft Learn, "4688(S): A new process has been created"; Get-WinEvent | ConvertTo-Json; evtx_dump -o jsonl',
  recognises: (head) =>
    (namesIn(head, 'Event') && /"Event"\s*:\s*\{\s*"(?:#attributes|System)"/.test(head)) ||
    namesIn(head, 'Id', 'TimeCreated', 'Properties', 'MachineName'),
  read: (texts) =>
    readJsonLog(texts, null, (entry) => {
      const inner = entry['Event'];
      const { eventId, record, time, host, value } = isMember(inner) ? fromXml(inner) : fromPowerShell(entry);
      if (eventId !== PROCESS_CREATED) return null;
      const at = instantOf(time);
      if (at === null) return 'an event without a time with its offset';
      const line = textOf(value('CommandLine'));
      return {
        kind: 'process',
        at,
        id: String(record ?? time),
        host: textOf(host),
        user: textOf(value('SubjectUserName')),
        pid: pidOf(value('NewProcessId')),
        parentPid: pidOf(value('ProcessId')),
        program: textOf(value('NewProcessName')),
        args: line === null ? [] : [line],
        isOneText: true,
        path: null,
        // The event says that the process was created, and nothing of its end.
        succeeded: true,
      };
    }),
};
