import { ALIVE_S, MOST_LEFT, mayBeLeft, NOT_RECORDED, PATIENCE_S } from '../../agent/light.ts';
import type { AgentFile } from '../base/agent-form.ts';
import type { RecorderHome } from '../base/home.ts';
import type { FeedId, ProgramId } from '../base/programs.ts';
import { readHook } from '../programs/read-hook.ts';
import { received } from '../seen/received.ts';
import type { RecorderCommand } from './recorder-command.ts';

/** What the script of a program's hooks is made from. */
export interface HookScriptOptions {
  /** How it starts a recorder where none runs; null where the system does, and the script only speaks to its socket. */
  readonly start: RecorderCommand['start'] | null;
  readonly node: RecorderCommand['node'];
  readonly home: RecorderHome;
  readonly feed: ProgramId;
  /** What the program may do where nothing could be recorded. */
  readonly onFailure: AgentFile['on_failure'];
  /** What a recorded call is: one that has to be acknowledged waits for a recorder. */
  readonly threshold: AgentFile['threshold'];
}

/** By this a script is known as a recorder's: part of its second line. */
export const MADE_BY = `to Countersign's recorder. Made by "countersign record install`;

/** A word for a POSIX shell that stands for the text itself, whatever is in it. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** What the program is told where nothing was recorded and it may go on. */
function fallbackOutput(feed: FeedId): string {
  const run = { eventId: '', receivedAt: '', installed: new Set<FeedId>(), generic: null };
  return readHook(feed, received(Buffer.alloc(0)), run).answer({ allowed: true, reason: null, operation_ids: [] }).body;
}

/** How much of an event that is sent is kept in case that the recorder dies meanwhile, in bytes: of a longer one its beginning is left. */
const MOST_KEPT = 16 * 1024 * 1024;

/**
 * Posts standard input while it comes, and prints the answer as curl is told to, in a third of the time that curl takes to begin: without
 * modules, whose loading would take most of it. Ends with curl's codes: 7 where nobody answers, 28 where it takes too long. The
 * numbers are AF_UNIX, SOCK_STREAM and an address of Linux or BSD.
 *
 * Where it is told a place, it leaves there what nobody answered, what of it was sent too, and ends with 9. It stops where the
 * folder has as much as it may have: what was left by then is recorded as an event that was cut off.
 */
const PERL_CLIENT = `
my ($to, $path, $event, $alive, $patience, $left) = @ARGV;
my $sent = "";
sub random {
  open my $file, "<", "/dev/urandom" and sysread($file, my $bytes, 16) or return "";
  return join "-", unpack "H8H4H4H4H12", $bytes;
}
sub quiet {
  my $ready = "";
  vec($ready, fileno $_[0], 1) = 1;
  return !select($ready, undef, undef, $_[1]);
}
sub lost {
  my $code = shift;
  exit $code if !defined $left || $event eq "";
  alarm 0;
  mkdir $left;
  opendir my $folder, $left or exit $code;
  my ($files, $room) = (0, ${MOST_LEFT.bytes});
  for (readdir $folder) { $files++; $room -= -s "$left/$_" || 0 }
  exit $code if $files > ${MOST_LEFT.files} || $room <= 0;
  my $name = "$left/" . (split m{/}, $path)[-1] . ".$event";
  open my $file, ">", "$name.part" or exit $code;
  my $until = time + $patience;
  for (my $piece = $sent; ; ) {
    my $written = syswrite $file, $piece;
    unlink("$name.part"), exit $code if !defined $written || $written < length $piece;
    last if ($room -= $written) <= 0 || $written >= ${MOST_KEPT} || time > $until;
    # Whoever keeps it open has said all.
    last if quiet(*STDIN, $piece =~ /\\}\\s*\\z/ ? 0.1 : $patience);
    sysread(STDIN, $piece, 65536) or last;
  }
  exit(rename("$name.part", $name) ? 9 : $code);
}
$SIG{ALRM} = sub { lost(28) };
$SIG{PIPE} = "IGNORE";
binmode $_ for *STDIN, *STDOUT;
$event = random() if defined $left && $event eq "";
socket(my $socket, 1, 1, 0) or lost(7);
alarm 1 + $alive;
connect($socket, $^O eq "linux" ? pack("S a108", 1, $to) : pack("CC a104", 2 + length $to, 1, $to)) or lost(7);
my $in = "";
sub more {
  lost(28) if quiet($socket, $_[0]);
  sysread($socket, $in, 65536, length $in) or lost(7);
}
sub answer {
  my $end;
  more($_[0]) while ($end = index $in, "\\r\\n\\r\\n") < 0;
  my $head = substr $in, 0, $end + 4, "";
  my ($code) = $head =~ m{^HTTP/1\\.1 (\\d+)} or lost(7);
  my ($length) = $head =~ /^content-length: *(\\d+)/im;
  $length = 0 unless defined $length;
  more($_[0]) while length $in < $length;
  return ($code, substr $in, 0, $length, "");
}
sub put {
  my $text = shift;
  while (length $text) { substr($text, 0, syswrite($socket, $text) || return, "") }
}
put("GET /v1/alive HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n");
my ($living) = answer($alive);
syswrite STDOUT, "$living ";
alarm $patience;
my $named = $event eq "" ? "" : "X-Countersign-Event: $event\\r\\n";
put("POST $path HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Type: application/octet-stream\\r\\n" . $named
  . "Transfer-Encoding: chunked\\r\\n\\r\\n");
while (1) {
  my $ready = "";
  vec($ready, fileno $_, 1) = 1 for $socket, *STDIN;
  select($ready, undef, undef, undef);
  last if vec($ready, fileno $socket, 1);
  my $read = sysread STDIN, my $piece, 65536;
  $sent .= $piece if $read && defined $left && length $sent < ${MOST_KEPT};
  put($read ? sprintf("%x\\r\\n", $read) . "$piece\\r\\n" : "0\\r\\n\\r\\n");
  last unless $read;
}
my ($code, $body) = answer(undef);
syswrite STDOUT, "$body\\n$code";
`;

/**
 * For machines without Perl and curl: posts standard input while it comes, and prints the answer as curl is told to. @see hookScript
 */
const NODE_CLIENT = `
const [socketPath, path, event, alive, seconds] = process.argv.slice(1);
const http = require("node:http");
const headers = event === "" ? {} : { "x-countersign-event": event };
const within = (limit) => setTimeout(() => process.exit(28), limit * 1000);
const away = () => process.exit(7);
let first;
http.get({ socketPath, path: "/v1/alive" }, (living) => {
  living.resume();
  process.stdout.write(living.statusCode + " ");
  clearTimeout(first);
  within(seconds);
  const request = http.request({ socketPath, path, method: "POST", headers }, (answer) => {
    answer.on("data", (chunk) => process.stdout.write(chunk));
    answer.on("end", () => process.stdout.write("\\n" + answer.statusCode, () => process.exit(0)));
  });
  process.stdin.pipe(request.on("error", away));
})
  .on("socket", (socket) => socket.once("connect", () => (first = within(alive))))
  .on("error", away);
`;

/** What follows for an event that the client has left: the recorder takes it up when it starts, or when it answers again. */
function leaving(goOn: string): string {
  return `left() {
  if is_alive; then
    case $answer in [1-9]*) ;; *) vain ;; esac
  else
    begin
    # One that another hook has started may have been killed: nobody else comes for what lies there.
    { wake; is_alive || { begin; wake; is_alive || vain; }; } </dev/null >/dev/null 2>&1 &
  fi
  ${goOn}
}

`;
}

/**
 * A script of a user's own recorder starts it where none runs.
 * @param left what the program hears where an event was left for the recorder; null where none is
 */
function startingOne(
  start: readonly string[],
  left: string | null,
): { readonly functions: string; readonly call: string } {
  const functions = `# Whether the recorder lives. Where the system says when a process started, another one with the same id is not taken for it.
is_alive() {
  pid= since= stat=
  { { read -r pid; read -r since; } <"$home/pid"; } 2>/dev/null
  case $pid in '' | *[!0-9]*) return 1 ;; esac
  kill -0 "$pid" 2>/dev/null || return 1
  case $since in '' | *[!0-9]*) return 0 ;; esac
  { read -r stat <"/proc/$pid/stat"; } 2>/dev/null || return 0
  set -f
  set -- \${stat##*) }
  # A zombie is only there for whoever should have waited for it.
  [ "$1" != Z ] && [ "\${20}" = "$since" ]
}

# Starts the recorder, unless another hook is doing so.
begin() {
  mine= starting=
  (set -C && : >"$home/starting") 2>/dev/null || return
  mine=1
  apart=
  command -v setsid >/dev/null 2>&1 && apart=setsid
  # What the program sets for itself is not for the recorder. Nor is what npx set for the program: the recorder would end with it.
  cd / && env COUNTERSIGN_RECORDER="$home" NODE_OPTIONS='' npm_command='' MALLOC_ARENA_MAX=2 $apart nohup ${start.map(shellQuoted).join(' ')} --quiet \\
    </dev/null >/dev/null 2>&1 &
  starting=$!
}

# Waits for it.
wake() {
  # In hundredths of a second. A recorder that was started before is there within a fifth of one: at first it is looked for more often.
  waited=0
  most=250
  [ ! -e "$away" ] || most=20
  while [ $waited -lt $most ]; do
    pause=02
    [ $waited -lt 40 ] || pause=08
    # Each pause is a process: in the last fifth of a second there is one.
    [ $((most - waited)) -gt 20 ] || pause=20
    sleep 0.$pause
    waited=$((waited + \${pause#0}))
    is_alive && break
    # What it started has ended: nobody is waited for but another, who may have been quicker.
    [ -z "$starting" ] || kill -0 "$starting" 2>/dev/null || {
      starting=
      [ $most -le $((waited + 20)) ] || most=$((waited + 20))
    }
  done
  # Also one that somebody left who was killed while he waited.
  [ -n "$mine" ] || [ $waited -ge $most ] && rm -f "$home/starting"
  patience=$((${PATIENCE_S} - waited / 100))
  [ $patience -ge 1 ] || patience=1
}

${left === null ? '' : leaving(left)}`;
  const call = `# A hook in a sandbox may not see the recorder's process, and still reach its socket: it is looked for after that.
case $answer in [1-9]*) ;; *) [ $result -eq 9 ] || is_alive || { begin; wake; post; } ;; esac
`;
  return { functions, call };
}

/**
 * The recorder of the system cannot see what scripts noted as missed: they hand it in, once their own event was answered. Each hands in
 * what scripts before it put aside, and puts aside what there is now: whoever had that file open has finished the line by then. The
 * same file handed in twice makes the same gap.
 */
function handIn(feed: FeedId): string {
  return `
for aside in "$home/missed/${feed}".*; do
  [ -f "$aside" ] || break
  case $(talk /v1/missed/${feed} '' 1 1 <"$aside") in
    *"\${nl}200") rm -f "$aside" ;;
    *) break ;;
  esac
done
aside="$home/missed/${feed}.\${id:-$$}"
[ ! -f "$home/missed/${feed}" ] || [ -e "$aside" ] || mv "$home/missed/${feed}" "$aside" 2>/dev/null

`;
}

/**
 * Posts standard input to a path of the recorder, as the event with an id if that is not empty. Prints the code of its sign of life, its
 * answer, and the code of that on a line. Perl begins in a third of the time that curl takes; a machine has one of them, or Node.
 */
function talking(node: string | null): string {
  const client = node === null ? '' : `client=${shellQuoted(NODE_CLIENT)}\n`;
  const withNode =
    node === null
      ? ''
      : `
  told=$?
  # 127: there is no curl; 2: it is one before 7.52. Neither has read anything.
  [ $told -eq 2 ] || [ $told -eq 127 ] || return $told
  NODE_OPTIONS='' ${shellQuoted(node)} -e "$client" "$home/recorder.sock" "$@" 2>/dev/null`;
  return `${client}perl=${shellQuoted(PERL_CLIENT)}
# PATH, ID, how long to wait for a sign of life and for the answer, in seconds, and where Perl leaves what nobody answered.
talk() {
  LC_ALL=C PERL5OPT='' PERL5LIB='' PERL_UNICODE='' perl -e "$perl" "$home/recorder.sock" "$@" 2>/dev/null
  told=$?
  # 126, 127: there is no Perl. It has not read anything.
  [ $told -eq 126 ] || [ $told -eq 127 ] || return $told
  curl -q -sS --fail-early --noproxy '*' --max-time "$3" --unix-socket "$home/recorder.sock" -o /dev/null -w '%{http_code} ' \\
    http://localhost/v1/alive --next -sS --noproxy '*' --max-time "$4" --unix-socket "$home/recorder.sock" -H 'expect:' \\
    -H 'content-type: application/octet-stream' -H "x-countersign-event: $2" -X POST -T - \\
    -w '\\n%{http_code}' "http://localhost$1" 2>/dev/null${withNode}
}
`;
}

/**
 * What a program runs for each of its hooks, without arguments: it hands standard input to the recorder, starts one where none runs,
 * prints what the recorder answers, and exits with 0, or with 2 where the program may not go on.
 *
 * Where the program may go on without a record, an event that no recorder answered is left in a file for the one that is started meanwhile,
 * and nobody waits for that. Where the event has to be recorded first, or acknowledged, the script waits for it to start.
 *
 * Standard input is sent while it comes, whatever its length: nobody waits longer than `patience` for its end. Nothing of it is sent
 * before the recorder has said that it lives (`ALIVE_S`), over the same connection.
 *
 * For dash, bash, zsh and BusyBox, called as sh. Until the recorder is found away it runs what is built into a shell, and Perl or curl once.
 */
export function hookScript({ home, feed, onFailure, threshold, start, node }: HookScriptOptions): string {
  const goOn = `printf %s ${shellQuoted(fallbackOutput(feed))}
  exit 0`;
  const leaves = start !== null && mayBeLeft({ on_failure: onFailure, threshold });
  const starting = start === null ? { functions: '', call: '' } : startingOne(start, leaves ? goOn : null);
  const post = `/v1/hook/${feed}`;
  const alive = start === null ? ALIVE_S.system : ALIVE_S.own;
  const notRecorded =
    onFailure === 'allow'
      ? goOn
      : `printf '%s (%s). Look at: countersign record doctor\\n' ${shellQuoted(NOT_RECORDED)} "$1" >&2
  exit 2`;
  return `#!/bin/sh
# Hands the hooks of ${feed} ${MADE_BY} ${feed}", which makes it again.
home=${shellQuoted(home.folder)}
away=${shellQuoted(home.away)}
nl='
'
umask 077
${talking(node)}
# A recorder was waited for in vain, which those after know by this.
vain() {
  [ -d "$home/missed" ] || mkdir -p "$home/missed" 2>/dev/null
  { : >"$away"; } 2>/dev/null
}

# Nothing was recorded: the recorder makes a signed gap of this line when it runs again. Exits by the policy of the agent.
not_recorded() {
  [ "$2" = counted ] || [ -d "$home/missed" ] || mkdir -p "$home/missed" 2>/dev/null
  [ "$2" != unanswered ] || vain
  [ "$2" = counted ] || { printf '%s %s\\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "\${id:--}" >>"$home/missed/${feed}"; } 2>/dev/null
  ${notRecorded}
}

${starting.functions}# A plugin gives the id under which it has handed in the same event itself, without an answer.
id=
case \${1:-} in
  *[!0-9a-f-]*) ;;
  ????????-????-????-????-????????????) id=$1 ;;
esac
[ -n "$id" ] || { read -r id </proc/sys/kernel/random/uuid; } 2>/dev/null
patience=${PATIENCE_S}
alive=${alive}
[ ! -e "$away" ] || alive=${ALIVE_S.afterVain}

post() {
  answer=$(talk ${post} "$id" "$alive" "$patience"${leaves ? ' "$home/left"' : ''})
  result=$?
}
post
# The code of the sign of life stands before the answer: 000 where there was none.
${starting.call}case $answer in
  [1-9]*) [ ! -e "$away" ] || rm -f "$away" ;;
  *) [ $result -eq 9 ] || not_recorded 'the recorder did not answer' unanswered ;;
esac
${leaves ? '[ $result -ne 9 ] || left\n' : ''}[ $result -eq 0 ] || not_recorded 'the recorder did not answer in time'
answer=\${answer#??? }
${start === null ? handIn(feed) : ''}status=\${answer##*"$nl"}
body=\${answer%"$nl"*}
case $status in
  200) printf %s "$body" ;;
  403)
    printf '%s\\n' "$body" >&2
    exit 2
    ;;
  422) not_recorded 'the recorder could not keep it' counted ;;
  *) not_recorded "the recorder answered $status" ;;
esac
`;
}
