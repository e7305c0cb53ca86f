import { type LogEvent, type LogItem, type LogReader, MAX_ARG, MAX_ARGS, MAX_PIECE, pidOf } from './log-event.ts';
import { linesOf } from './pieces.ts';

/** Numbers of system calls by architecture: linux/include/uapi/linux/audit.h, and the tables of syscalls. */
const CALLS: ReadonlyMap<string, 'process' | 'file'> = new Map(
  // AUDIT_ARCH_X86_64, AUDIT_ARCH_I386, AUDIT_ARCH_AARCH64
  [
    { arch: 'c000003e', process: [59, 322], file: [2, 85, 257, 437] },
    { arch: '40000003', process: [11, 358], file: [5, 8, 295, 437] },
    { arch: 'c00000b7', process: [221, 281], file: [56, 437] },
  ].flatMap(({ arch, ...numbers }) =>
    (['process', 'file'] as const).flatMap((kind) =>
      numbers[kind].map((number): [string, 'process' | 'file'] => [`${arch} ${number}`, kind]),
    ),
  ),
);

/** Events whose records came in and whose end did not: an audit log interleaves them. */
const MAX_OPEN = 1_024;
const MAX_RECORDS = 512;
/** What the records of all of them may have, in characters of their lines. */
const MAX_CHARACTERS = 8 * MAX_PIECE;

/** The record of one line: `type=SYSCALL msg=audit(SECONDS.MILLISECONDS:SERIAL): name=value …`. */
const RECORD = /^(?:node=(\S+) )?type=([A-Z0-9_]+) msg=audit\((\d{1,12})\.(\d{3}):(\d{1,20})\):\s?(.*)$/s;

interface AuditRecord {
  readonly type: string;
  readonly line: number;
  readonly values: ReadonlyMap<string, string>;
}

interface OpenEvent {
  readonly id: string;
  readonly at: number;
  readonly host: string | null;
  readonly records: AuditRecord[];
  line: number;
  endLine: number;
  characters: number;
}

/** What a value says: in quotes as it is, in hexadecimal digits where it had characters that a log line cannot have. */
function decoded(raw: string): string | null {
  if (raw.startsWith('"')) return raw.slice(1, -1);
  if (raw === '(null)' || raw === '?') return null;
  if (!/^(?:[0-9A-F]{2})+$/.test(raw)) return raw;
  const bytes = Uint8Array.from(raw.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return new TextDecoder().decode(bytes);
}

/** What an enriched log has between a record and what auditd looked up for it: the group separator. */
const ENRICHED_FROM = '\u001d';
/** A name begins where no name goes before: of a long word without a value each letter would be tried. */
const VALUES = /(?<![A-Za-z0-9_[\]-])([A-Za-z0-9_[\]-]+)=("[^"]*"|\S*)/g;

/** `name=value` pairs; what an enriched log has behind the group separator is read as well, under its capital names. */
function valuesOf(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [, name = '', value = ''] of text.replaceAll(ENRICHED_FROM, ' ').matchAll(VALUES)) {
    if (!values.has(name)) values.set(name, value);
  }
  return values;
}

/** The words that a process was started with: `a0`, `a1`, …, a long one in pieces `a1[0]`, `a1[1]`, … */
function wordsOf(records: readonly AuditRecord[]): string[] {
  const values = new Map(records.filter(({ type }) => type === 'EXECVE').flatMap(({ values: of }) => [...of]));
  const count = Math.min(Number(values.get('argc') ?? '0') || 0, MAX_ARGS);
  return Array.from({ length: count }, (_, index) => {
    const whole = values.get(`a${index}`);
    if (whole !== undefined) return (decoded(whole) ?? '').slice(0, MAX_ARG);
    const pieces: string[] = [];
    for (let piece = 0; values.has(`a${index}[${piece}]`); piece++)
      pieces.push(values.get(`a${index}[${piece}]`) ?? '');
    const isHex = pieces.every((piece) => !piece.startsWith('"'));
    const joined = isHex ? decoded(pieces.join('')) : pieces.map(decoded).join('');
    return (joined ?? '').slice(0, MAX_ARG);
  });
}

/** What the system call of an event was; null of one that neither starts a process nor opens a file. */
function kindOf(call: ReadonlyMap<string, string>): 'process' | 'file' | null {
  const name = decoded(call.get('SYSCALL') ?? '') ?? '';
  if (/^execve(?:at)?$/.test(name)) return 'process';
  if (/^(?:open|openat|openat2|creat)$/.test(name)) return 'file';
  return CALLS.get(`${call.get('arch')} ${call.get('syscall')}`) ?? null;
}

function eventOf({ id, at, host, records, line, endLine }: OpenEvent): LogEvent | null {
  const call = records.find(({ type }) => type === 'SYSCALL')?.values;
  const kind = call === undefined ? null : kindOf(call);
  if (call === undefined || kind === null) return null;
  const valueIn = (type: string, name: string): string | null => {
    const found = records.findLast((record) => record.type === type && record.values.has(name))?.values.get(name);
    return found === undefined ? null : decoded(found);
  };
  const path = kind === 'file' ? valueIn('PATH', 'name') : valueIn('CWD', 'cwd');
  const folder = valueIn('CWD', 'cwd');
  const whole =
    kind === 'file' && path !== null && folder !== null && !path.startsWith('/') ? `${folder}/${path}` : path;
  const success = call.get('success');
  const args = kind === 'process' ? wordsOf(records) : [];
  return {
    kind,
    at,
    id,
    host,
    user: decoded(call.get('UID') ?? '') || (call.get('uid') ?? null),
    pid: pidOf(call.get('pid')),
    parentPid: pidOf(call.get('ppid')),
    program: decoded(call.get('exe') ?? '') || null,
    args,
    isOneText: false,
    path: whole,
    succeeded: success === undefined ? null : success === 'yes',
    line,
    endLine,
  };
}

async function* read(texts: AsyncIterable<string>): AsyncGenerator<LogItem> {
  const open = new Map<string, OpenEvent>();
  let characters = 0;
  function* ended(event: OpenEvent): Generator<LogItem> {
    open.delete(event.id);
    characters -= event.characters;
    const found = eventOf(event);
    if (found !== null) yield { kind: 'event', event: found };
  }
  for await (const { line, text } of linesOf(texts)) {
    if (text === null) {
      yield { kind: 'unread', line, reason: 'a line that is too long' };
      continue;
    }
    // What ausearch puts between events.
    if (text === '' || text === '----' || text.startsWith('time->')) continue;
    const [, node, type = '', seconds, milliseconds, serial, rest = ''] = RECORD.exec(text) ?? [];
    if (type === '') {
      const isInterpreted = /msg=audit\(\d\d/.test(text) || /^type=\S+ msg=audit\(/.test(text);
      const reason = isInterpreted
        ? 'an interpreted record: its time has no zone (ausearch without -i has)'
        : 'no record';
      yield { kind: 'unread', line, reason };
      continue;
    }
    const id = `${node ?? ''}${seconds}.${milliseconds}:${serial}`;
    let event = open.get(id);
    if (event === undefined) {
      const at = Number(seconds) * 1000 + Number(milliseconds);
      event = { id, at, host: node ?? null, records: [], line, endLine: line, characters: 0 };
      open.set(id, event);
    }
    event.endLine = line;
    if (event.records.length < MAX_RECORDS) {
      event.records.push({ type, line, values: valuesOf(rest) });
      event.characters += text.length;
      characters += text.length;
    }
    if (type === 'EOE') yield* ended(event);
    if (characters > MAX_CHARACTERS) for (const oldest of [...open.values()]) yield* ended(oldest);
    if (open.size > MAX_OPEN) for (const oldest of [...open.values()].slice(0, MAX_OPEN / 2)) yield* ended(oldest);
  }
  for (const event of [...open.values()]) yield* ended(event);
}

/** The log of the Linux Audit System, as auditd writes it and ausearch prints it without `-i`. */
export const auditd: LogReader = {
  kind: 'auditd',
  title: 'Linux audit log',
  source: 'audit.log: Red Hat Enterprise Linux, Security hardening, "Understanding audit log files"; auditd.conf(5)',
  recognises: (head) => /^(?:----\n|time->[^\n]*\n)*(?:node=\S+ )?type=[A-Z0-9_]+ msg=audit\(/.test(head),
  read,
};
