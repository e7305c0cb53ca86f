import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { formatTime, type NumberRun, parseTime } from '../../protocol/index.ts';
import { selectBundle } from '../evidence/exports/bundle-source.ts';
import { directoryAt } from '../evidence/exports/directory-at.ts';
import { NO_REDACTION } from '../evidence/exports/redaction.ts';
import { type WrittenBundle, writeBundleText } from '../evidence/exports/write-bundle.ts';
import { placeInRanges } from '../ledger/admin-log/clock-corrections.ts';
import type { KeyHolder } from '../ledger/keys/key-holder.ts';
import type { Store } from '../store/open.ts';
import type { RunName, RunSpan } from './run-name.ts';

/** A run ends with the epoch that brings it to this many records. */
const MOST_RECORDS = 65_536;

interface SealedEpoch {
  readonly no: number;
  readonly firstSeqNo: number;
  readonly lastSeqNo: number;
  readonly startTime: string;
  readonly endTime: string;
}

export interface SpanOptions {
  /** The newest epoch that is not to be in a run. */
  readonly after: number;
  /** The first epoch behind it that is in a run already; left out where there is none. */
  readonly before?: number;
  /** What the machine's clock says, in milliseconds. */
  readonly now: number;
  /** Whether a run ends with the newest epoch although neither its records nor its day are complete. */
  readonly withNewest: boolean;
}

const dayOf = (time: string): string => time.slice(0, 10);

/** Whether a filter of times can tell the records up to an epoch from those behind it. */
function canCutBehind(store: Store, orgId: string, epoch: SealedEpoch, next: SealedEpoch | undefined): boolean {
  if (next === undefined || next.startTime > epoch.endTime) return true;
  const last = store.statement('SELECT received_at FROM operations WHERE org_id = ? AND seq_no = ?').pluck();
  return Number(last.get(orgId, epoch.lastSeqNo)) < Date.parse(next.startTime);
}

/** Cuts the sealed epochs of an organization into runs that are complete, oldest first. */
export function* completeSpans(
  store: Store,
  orgId: string,
  { after, before = Number.MAX_SAFE_INTEGER, now, withNewest }: SpanOptions,
): Generator<RunSpan & { readonly records: number; readonly endTime: string }> {
  const read = store.statement(
    `SELECT epoch_no AS no, first_seq_no AS firstSeqNo, last_seq_no AS lastSeqNo, start_time AS startTime, end_time AS endTime
     FROM epochs WHERE org_id = ? AND epoch_no > ? AND epoch_no < ? ORDER BY epoch_no LIMIT 2`,
  );
  let [epoch, next] = read.all(orgId, after, before) as (SealedEpoch | undefined)[];
  for (let first = epoch; epoch !== undefined && first !== undefined; ) {
    const records = epoch.lastSeqNo - first.firstSeqNo + 1;
    const today = new Date(now).toISOString();
    const isLastOfDay = dayOf(next?.endTime ?? today) > dayOf(epoch.endTime);
    // Before a run that is there already ends whatever lies before it.
    const isLast = next === undefined && (withNewest || before !== Number.MAX_SAFE_INTEGER);
    if (isLast || ((records >= MOST_RECORDS || isLastOfDay) && canCutBehind(store, orgId, epoch, next))) {
      yield { first: first.no, last: epoch.no, records, endTime: epoch.endTime };
      first = next;
    }
    [epoch, next] = read.all(orgId, epoch.no, before) as (SealedEpoch | undefined)[];
  }
}

/** Lines of records between two points at which a reader can begin. */
const LINES_A_FLUSH = 256;

/** One gzip member (RFC 1952) with nothing in its header that depends on when or where it was made. */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);

/**
 * Writes text as one gzip member. Behind the first text, and behind every 256 lines after it, all is flushed, so that what follows can be
 * unpacked without what precedes.
 */
class FlushedGzip {
  readonly #file: number;
  #pending = '';
  #checksum = 0;
  #bytes = 0;
  #isBegun = false;

  constructor(path: string) {
    // Who else may read the archive is for its folders to say.
    this.#file = openSync(path, 'wx', 0o640);
    this.#put(HEADER);
  }

  write(text: string): void {
    this.#pending += text;
    if (!this.#isBegun) {
      this.#isBegun = true;
      this.#pack(this.#pending);
      this.#pending = '';
      return;
    }
    for (let from = 0; ; ) {
      let end = from;
      for (let lines = 0; lines < LINES_A_FLUSH && end >= 0; lines++) {
        const newline = this.#pending.indexOf('\n', end);
        end = newline < 0 ? -1 : newline + 1;
      }
      if (end < 0) {
        this.#pending = this.#pending.slice(from);
        return;
      }
      this.#pack(this.#pending.slice(from, end));
      from = end;
    }
  }

  #pack(text: string): void {
    const bytes = Buffer.from(text);
    this.#checksum = crc32(bytes, this.#checksum);
    this.#bytes += bytes.length;
    this.#put(deflateRawSync(bytes, { level: 6, finishFlush: constants.Z_FULL_FLUSH }));
  }

  /** A disk that is nearly full may take only a part. */
  #put(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
  }

  /** Ends the file, and has it on the disk. */
  end(): void {
    this.#pack(this.#pending);
    this.#put(deflateRawSync(Buffer.alloc(0)));
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(this.#checksum, 0);
    trailer.writeUInt32LE(this.#bytes % 2 ** 32, 4);
    this.#put(trailer);
    fsyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }
}

interface MomentRow {
  readonly epochNo: number;
  readonly lastSeqNo: number;
  readonly endTime: string;
  readonly lastEventNo: number | null;
  /** When the erasure was that the run is to show, in milliseconds; null where it shows none. */
  readonly erasedAt: number | null;
}

/**
 * The moment that a run shows (protocol F135): the end of its last epoch, or of the first one behind it that the active key sealed, since
 * only that key can sign a manifest. A run that shows an erasure is of the moment of that event, with the epochs that were sealed before it: with
 * fewer it would contradict every run that shows those and a shorter administrative log.
 */
function momentOf(
  store: Store,
  orgId: string,
  { last, erased }: RunSpan & Pick<RunName, 'erased'>,
  kid: string,
): MomentRow | undefined {
  const before = store.statement(
    `SELECT max(epoch_no) FROM epochs WHERE org_id = @orgId AND (admin_head_hash IS NULL OR admin_head_hash IN
       (SELECT event_hash FROM admin_events WHERE org_id = @orgId AND event_no < @erased))`,
  );
  const from = erased === null ? last : Math.max(last, Number(before.pluck().get({ orgId, erased }) ?? 0));
  return store
    .statement(
      `SELECT epoch_no AS epochNo, last_seq_no AS lastSeqNo, end_time AS endTime,
         (SELECT event_no FROM admin_events e WHERE e.org_id = epochs.org_id AND e.event_hash = admin_head_hash) AS lastEventNo,
         (SELECT created_at FROM admin_events e WHERE e.org_id = epochs.org_id AND e.event_no = ?) AS erasedAt
       FROM epochs WHERE org_id = ? AND epoch_no >= ? AND service_kid = ? ORDER BY epoch_no LIMIT 1`,
    )
    .get(erased, orgId, from, kid) as MomentRow | undefined;
}

/**
 * Writes a run into a new file, and has it on the disk: a bundle of all agents with whole epochs. The same ledger and key give the same
 * bytes, whatever was added to the ledger since. To be called within a transaction. A crash leaves a part of the file.
 * @param withheld records of which the archive decided that it does not have their payloads
 * @returns null, and no file, where no epoch of the active key is there yet to sign a manifest by
 * @throws TooLarge where no verifier would take so much
 */
export async function writeRun(
  path: string,
  store: Store,
  key: KeyHolder,
  orgId: string,
  span: RunSpan & Pick<RunName, 'erased'>,
  withheld: readonly NumberRun[] = [],
): Promise<WrittenBundle | null> {
  const moment = momentOf(store, orgId, span, key.kid);
  if (moment === undefined) return null;
  const directory = directoryAt(store, orgId, Math.max(moment.lastEventNo ?? 0, span.erased ?? 0), key);
  const placed = placeInRanges(store, orgId, directory.lastEventNo);
  const ends = store
    .statement(
      `SELECT first_seq_no, (SELECT received_at FROM operations o WHERE o.org_id = epochs.org_id AND seq_no = first_seq_no),
         last_seq_no, (SELECT received_at FROM operations o WHERE o.org_id = epochs.org_id AND seq_no = last_seq_no)
       FROM epochs WHERE org_id = ? AND epoch_no IN (?, ?) ORDER BY epoch_no`,
    )
    .raw()
    .all(orgId, span.first, span.last) as [number, number, number, number][];
  const [firstNo = 0, firstAt = 0] = ends[0] ?? [];
  const [, , lastNo = 0, lastAt = 0] = ends.at(-1) ?? [];
  const filter = {
    start_time: formatTime(placed(firstNo, firstAt)),
    end_time: formatTime(placed(lastNo, lastAt) + 1),
    agent_id: null,
  };
  const logHead = { seq_no: moment.lastSeqNo, epoch_no: moment.epochNo };
  const selection = selectBundle(store, { orgId, filter, logHead, directory });
  const identity = {
    exportId: `run-${span.first}-${span.last}`,
    createdAt: formatTime(Math.max(parseTime(moment.endTime), moment.erasedAt ?? 0)),
  };
  const file = new FlushedGzip(path);
  try {
    const written = await writeBundleText((text) => file.write(text), store, key, selection, identity, {
      redaction: { ...NO_REDACTION, records: withheld },
    });
    file.end();
    return written;
  } finally {
    file.close();
  }
}
