import type { FeedId } from '../../../src/recorder/base/programs.ts';
import { Handing, type Recorder } from '../../../src/recorder/mcp/handing.ts';
import { MCP } from '../../../src/recorder/mcp/mcp-protocol.ts';
import type { RecordingSettings } from '../../../src/recorder/mcp/recording.ts';
import type { Take, Verdict } from '../../../src/recorder/seen/feed.ts';
import type { Seen } from '../../../src/recorder/seen/seen.ts';

/** What clients of proxies over HTTP show. */
export const TOKEN = 'T'.repeat(43);

const ALLOWED: Verdict = { allowed: true, reason: null, operation_ids: [] };

/** Keeps what it is handed, in place of the recorder's own process. */
export class Collector implements Recorder {
  readonly seen: Seen[] = [];
  readonly feeds = new Set<FeedId>();
  /** Decides over what is handed in. */
  verdict: (seen: readonly Seen[]) => Verdict | Promise<Verdict> = () => ALLOWED;

  readonly take: Take = async (feed, seen) => {
    this.seen.push(...seen);
    this.feeds.add(feed);
    return this.verdict(seen);
  };

  /** How many events it was told that it does not have. */
  missing = 0;

  missed(_feed: FeedId, ids: readonly string[] = []): Promise<Verdict> {
    this.missing += ids.length;
    return this.withoutRecord();
  }

  /** What the policy says of what is not recorded. */
  unrecorded: Verdict = ALLOWED;

  withoutRecord(): Promise<Verdict> {
    return Promise.resolve(this.unrecorded);
  }

  /** Refuses every call of a tool. */
  block(reason: string): void {
    this.verdict = (seen) =>
      seen.some((event) => event.kind === 'call' && event.stage === 'started' && event.tool.name === 'echo')
        ? { allowed: false, reason, operation_ids: [] }
        : ALLOWED;
  }

  /** A line for each event. */
  get lines(): string[] {
    return this.seen.map(lineOf);
  }
}

/** What a proxy is given in tests: every type of agent is installed. */
export function recordingSettings(recorder: Recorder, given: Partial<RecordingSettings> = {}): RecordingSettings {
  const handing = new Handing(recorder, () => undefined);
  return {
    protocol: MCP,
    handing,
    feed: null,
    isInstalled: () => true,
    serverName: null,
    fallbackName: 'unnamed-server',
    cwd: '/home/ada',
    ...given,
  };
}

/** An event in one line: stage, tool, what it was given, what came of it. */
export function lineOf(event: Seen): string {
  switch (event.kind) {
    case 'call': {
      const { stage, tool, input, output, outcome } = event;
      const error = outcome?.error?.type === undefined ? '' : ` ${outcome.error.type}`;
      const status = outcome === undefined ? '' : ` ${outcome.status}${error}`;
      const given = stage === 'started' ? ` ${JSON.stringify(input)}` : '';
      return `${stage} ${tool.name}${given}${status}${output === undefined ? '' : ` ${JSON.stringify(output)}`}`;
    }
    case 'tools':
      return `tools ${event.server} ${event.count}`;
    case 'note':
      return event.text === null ? `note ${event.name}` : `note ${event.name}: ${event.text}`;
    default:
      return event.kind;
  }
}
