import { join } from 'node:path';
import { ACCOUNT, type SystemPlaces } from './places.ts';

/** The names of the units, each for all persons: what follows the @ is the number of the user. */
export const UNIT_NAMES = { service: `${ACCOUNT}@.service`, socket: `${ACCOUNT}@.socket` } as const;

/** A word of a command in a unit (systemd.service(5), "Command lines"; systemd.unit(5), "Specifiers"). */
export function unitWord(text: string): string {
  const escaped = text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('%', '%%').replaceAll('$', '$$$$');
  return `"${escaped}"`;
}

/**
 * The recorder of one person: its own account, no rights, nothing of the homes, and only its own folders to write to. Not
 * MemoryDenyWriteExecute: V8 compiles what it runs.
 * @param start program and arguments, up to and with `record run`
 */
export function serviceUnit(start: readonly string[]): string {
  const [program = '', ...args] = start;
  return `# Made by "countersign record install --system", which makes it again.
[Unit]
Description=Countersign recorder of the user %i
Requires=${ACCOUNT}@%i.socket
After=network.target
# However often it fails: a service that systemd gives up takes its socket with it.
StartLimitIntervalSec=0

[Service]
ExecStart=${[program, ...args, '--quiet'].map(unitWord).join(' ')}
User=${ACCOUNT}
Group=${ACCOUNT}
Environment=COUNTERSIGN_RECORDER=/var/lib/${ACCOUNT}/%i
Environment=NODE_COMPILE_CACHE=/var/cache/${ACCOUNT}/%i
Environment=MALLOC_ARENA_MAX=2
StateDirectory=${ACCOUNT}/%i
StateDirectoryMode=0700
CacheDirectory=${ACCOUNT}/%i
CacheDirectoryMode=0700
WorkingDirectory=/
UMask=0077
Restart=on-failure
RestartSec=2s
TimeoutStopSec=15
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome=yes
ProtectProc=invisible
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateUsers=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

# So that pending records are sent once the system runs, also where no hook comes.
[Install]
WantedBy=multi-user.target
`;
}

/** Its only way in: systemd opens it, for one user, and keeps it open while the recorder is started again. */
export function socketUnit(): string {
  return `# Made by "countersign record install --system", which makes it again.
[Unit]
Description=Socket of the Countersign recorder of the user %i

[Socket]
ListenStream=/run/${ACCOUNT}/%i.sock
SocketUser=%i
SocketMode=0600
DirectoryMode=0755
RemoveOnStop=yes

[Install]
WantedBy=sockets.target
`;
}

/** Each unit's path with its text. */
export function unitFiles({ units }: SystemPlaces, start: readonly string[]): ReadonlyMap<string, string> {
  return new Map([
    [join(units, UNIT_NAMES.service), serviceUnit(start)],
    [join(units, UNIT_NAMES.socket), socketUnit()],
  ]);
}
