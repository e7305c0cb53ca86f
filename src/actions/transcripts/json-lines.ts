import type { Body } from '../tools/index.ts';
import type { TranscriptItem, TranscriptLine, TranscriptReader, TranscriptUnread } from './items.ts';
import { bodyOf } from './line-body.ts';
import { type Begun, type End, OpenCalls } from './open-calls.ts';
import { SessionSaid, UnknownTypes } from './said-once.ts';

export function unread({ line }: TranscriptLine, reason: string): TranscriptUnread {
  return { kind: 'unread', line, reason };
}

/** A transcript of which each line is a JSON object: what its readers have in common. */
export abstract class JsonLines implements TranscriptReader {
  protected readonly calls = new OpenCalls();
  protected readonly session = new SessionSaid();
  protected readonly unknown = new UnknownTypes();
  /** What each object is called. */
  protected readonly what: string = 'line';

  take(line: TranscriptLine): readonly TranscriptItem[] {
    const body = bodyOf(line);
    return body === null ? [unread(line, `the ${this.what} is no JSON object`)] : this.read(body, line);
  }

  open() {
    return this.calls.values();
  }

  protected abstract read(body: Body, line: TranscriptLine): readonly TranscriptItem[];

  /** A call begins with a line. */
  protected begin(begun: Omit<Begun, 'line' | 'cut'>, line: TranscriptLine): readonly TranscriptItem[] {
    return this.calls.begin({ ...begun, line: line.line, cut: line.cut ?? null }, line.text.length);
  }

  /** A call ends with a line. */
  protected end(
    callId: string | undefined,
    end: End,
    line: TranscriptLine,
    reason = 'a call ended that did not begin',
  ): readonly TranscriptItem[] {
    const cut = line.cut !== undefined && { cut: line.cut };
    return [this.calls.end(callId, { ...end, end_line: line.line, ...cut }) ?? unread(line, reason)];
  }
}
