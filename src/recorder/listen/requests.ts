import type { IncomingMessage } from 'node:http';
import { type FeedId, isFeedId } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';
import type { OtlpReceived, OtlpRequest, OtlpSignal } from '../otlp/receive.ts';
import type { Take } from '../seen/feed.ts';
import { gapOf } from '../seen/gap.ts';
import { condenseJson, type NewCondenser, type Received } from '../seen/received.ts';
import { type Answer, failureAnswer, jsonAnswer, RequestRefused } from './answers.ts';
import { Bodies } from './bodies.ts';
import { HOOK_BYTES, HookEvents, type HookParts } from './hook-events.ts';
import type { LargeBodies } from './large-bodies.ts';

const OTLP_BYTES = 16 * 1024 * 1024;

const SEEN = { limit: HOOK_BYTES, longer: condenseJson, mayBePacked: false };
const HOOK = { ...SEEN, isOfHook: true };
const LINES = { ...SEEN, longer: null };

/** A body from this size on, in bytes, is not parsed on the thread that answers: hooks wait for that. */
const LARGE_BYTES = 256 * 1024;

/** What requests are answered from. */
export interface RequestParts extends HookParts {
  /** Takes the lines of events that reached no recorder, or null for more of them than can be read. */
  readonly takeMissed: (feed: FeedId, lines: Buffer | null) => Promise<void>;
  /** What `GET /v1/status` answers, as JSON. */
  readonly status: () => unknown;
  /** What `GET /v1/waiting/FEED` answers: how many records of a session wait for the service. */
  readonly waitingOf: (feed: FeedId, session: string) => Promise<number>;
  /** Called once, before anything is loaded that events are read with. */
  readonly onFirstEvent?: () => void;
}

type Handle = (request: IncomingMessage, last: string) => Promise<Answer>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function header(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function feedOf(text: string): FeedId {
  if (isFeedId(text)) return text;
  throw new RequestRefused('NOT_FOUND', `there is no feed ${text.slice(0, 40)}`);
}

/** Loaded when somebody exports in protobuf. */
async function ofProtobuf(signal: OtlpSignal): Promise<NewCondenser> {
  const { ProtobufCondenser } = await import('../otlp/protobuf-condenser.ts');
  return () => new ProtobufCondenser(signal);
}

/** Answers requests of hooks, plugins, proxies and exporters, whoever let them in. */
export class Requests {
  readonly #parts: RequestParts;
  readonly #bodies = new Bodies();
  readonly #events: HookEvents;
  #hasBegun = false;
  #large: Promise<LargeBodies> | null = null;
  #reading: Promise<typeof import('./seen-body.ts')> | null = null;
  readonly #handlers: Readonly<Record<string, Handle>>;

  constructor(parts: RequestParts) {
    this.#parts = parts;
    this.#events = new HookEvents(parts);
    const exported =
      (signal: OtlpSignal): Handle =>
      (request) =>
        this.#exported(request, signal);
    this.#handlers = {
      'POST /v1/hook/': (request, feed) => this.#hook(request, feedOf(feed)),
      'POST /v1/seen/': (request, feed) => this.#seen(request, feedOf(feed)),
      'POST /v1/missed/': (request, feed) => this.#missed(request, feedOf(feed)),
      'POST /v1/traces': exported('traces'),
      'POST /v1/logs': exported('logs'),
      'POST /v1/metrics': exported('metrics'),
      // By this a hook's script knows within a moment that it does not speak to one that hangs.
      'GET /v1/alive': async () => jsonAnswer(200, {}),
      'GET /v1/waiting/': async ({ url }, feed) => {
        const session = new URLSearchParams(url?.split('?')[1]).get('session') ?? '';
        return jsonAnswer(200, { waiting: await parts.waitingOf(feedOf(feed), session) });
      },
      'GET /v1/status': async () => jsonAnswer(200, parts.status()),
    };
  }

  /** @throws RecordError, RequestRefused */
  async answer(request: IncomingMessage): Promise<Answer> {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const [, place, last = ''] = /^(\/v1\/(?:(?:hook|seen|missed|waiting)\/|[a-z]+$))([\w@~%-]*)$/.exec(path) ?? [];
    const name = `${request.method} ${place}`;
    const handle = Object.hasOwn(this.#handlers, name) ? this.#handlers[name] : undefined;
    if (handle === undefined) throw new RequestRefused('NOT_FOUND', 'there is nothing at this path');
    if (request.method === 'POST') this.#begin();
    return handle(request, last);
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#parts.onFirstEvent?.();
  }

  #hook(request: IncomingMessage, feed: FeedId): Promise<Answer> {
    const given = header(request, 'x-countersign-event');
    if (given !== null && !UUID.test(given)) {
      throw new RecordError('EVENT_INVALID', 'x-countersign-event has to be a UUID in lowercase');
    }
    const eventId = given ?? crypto.randomUUID();
    return this.#bodies.with(request, HOOK, (body) =>
      this.#events.take(feed, body, { eventId, receivedAt: new Date().toISOString() }),
    );
  }

  /** What reads a large body, loaded with the first one; null for a smaller one. */
  async #asideFor({ json }: Received): Promise<LargeBodies | null> {
    if (json === null || json.length < LARGE_BYTES) return null;
    this.#large ??= import('./large-bodies.ts').then(({ LargeBodies }) => new LargeBodies());
    return this.#large;
  }

  /** Once nothing is answered any more. */
  async close(): Promise<void> {
    await (await this.#large)?.close();
  }

  #seen(request: IncomingMessage, feed: FeedId): Promise<Answer> {
    return this.#bodies.with(request, SEEN, async (body) => {
      const aside = await this.#asideFor(body);
      // Asking the loader for what it has loaded would take as long as reading a small event.
      this.#reading ??= import('./seen-body.ts');
      const seen = aside === null ? (await this.#reading).readSeenBody(body) : await aside.seen(body);
      const verdict = await this.#parts.take(feed, seen);
      return jsonAnswer(verdict.allowed ? 200 : 403, verdict);
    });
  }

  /** Answered once the gap is durable: the hook then removes what it handed in. */
  async #missed(request: IncomingMessage, feed: FeedId): Promise<Answer> {
    try {
      await this.#bodies.with(request, LINES, ({ json }) => this.#parts.takeMissed(feed, json));
    } catch (error) {
      if (!(error instanceof RecordError) || error.code !== 'EVENT_TOO_LARGE') throw error;
      await this.#parts.takeMissed(feed, null);
    }
    return jsonAnswer(200, {});
  }

  async #exported(request: IncomingMessage, path: OtlpSignal): Promise<Answer> {
    const contentType = header(request, 'content-type');
    const feed = header(request, 'x-countersign-feed');
    const installed = this.#parts.installed();
    try {
      const longer = /^application\/json\b/i.test(contentType ?? '') ? condenseJson : await ofProtobuf(path);
      const form = { limit: OTLP_BYTES, longer, mayBePacked: true };
      return await this.#bodies.with(request, form, async (body) => {
        const aside = await this.#asideFor(body);
        const exported = { path, contentType, body, feed, installed, receivedAt: new Date().toISOString() };
        return exportAnswer(exported, this.#parts.take, aside && ((large) => aside.export(large)));
      });
    } catch (error) {
      if (path !== 'metrics') await this.#lostExport(feed !== null && isFeedId(feed) ? feed : 'enterprise', error);
      throw error;
    }
  }

  /** Of an export that is too large to be read nobody knows whose it is without the header. */
  async #lostExport(feed: FeedId, error: unknown): Promise<void> {
    if (!(error instanceof RecordError) || error.code !== 'EVENT_TOO_LARGE') return;
    if (!this.#parts.installed().has(feed)) return;
    const now = new Date().toISOString();
    const told = { count: 1, first_at: now, last_at: now, reason: `the export is too large: ${error.message}` };
    await this.#events.takeOrLose(feed, [
      gapOf({ ...told, source: 'otlp', event_id: crypto.randomUUID(), raw_event: 'too_large' }),
    ]);
  }
}

/**
 * Takes what an exporter sent. Exporters send what failed again, and give up at a status that is not 429, 502, 503 or 504: what can
 * never be taken is therefore answered as rejected, with the reason.
 * @param readAside reads on another thread what is large; null for what is not
 * @throws what taking throws besides NOT_INSTALLED
 */
async function exportAnswer(
  request: OtlpRequest,
  take: Take,
  readAside: ((request: OtlpRequest) => Promise<Pick<OtlpReceived, 'byFeed' | 'rejected'>>) | null,
): Promise<Answer> {
  // Loaded when somebody exports: most recorders never meet an exporter, and their memory stays small.
  const [{ receiveOtlp }, { otlpAnswer, otlpRefusal }] = await Promise.all([
    import('../otlp/receive.ts'),
    import('../otlp/answer.ts'),
  ]);
  try {
    const { byFeed, rejected } = await (readAside ?? receiveOtlp)(request);
    let { count, reason } = rejected;
    for (const [feed, seen] of byFeed) {
      try {
        await take(feed, seen);
      } catch (error) {
        if (!(error instanceof RecordError) || error.code !== 'NOT_INSTALLED') throw error;
        count += seen.length;
        reason = error.message;
      }
    }
    return { status: 200, ...otlpAnswer(request.path, request.contentType, { count, reason }) };
  } catch (error) {
    const failure = failureAnswer(error);
    if (failure === null || !(error instanceof Error)) throw error;
    return { status: failure.status, ...otlpRefusal(request.contentType, error.message) };
  }
}
