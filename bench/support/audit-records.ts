import type { RecordShape } from './make-ledger.ts';

/** Agents of a ledger that is searched: a few do most of the work. */
export const AGENTS = 60;

const TYPES = ['file.read', 'file.write', 'http.request', 'shell.run', 'db.query', 'mail.send', 'model.call'];

const HOUR = 3_600_000;

/** An agent whose records all come nearly a day late, and one that is in each part of the ledger but never on time. */
export const LATE_AGENT = 3;
/** An agent that does much, and never what this type says, which others do all the time. */
export const BUSY_AGENT = 1;
export const NEVER_OF_BUSY = 'model.call';
/** A subject that is common, and never of the busy agent. */
export const HOT_SUBJECT = 'shared/hot-subject';

/** A number that looks random and is the same in each run. */
function scattered(seqNo: number, salt: number): number {
  const mixed = Math.imul(seqNo ^ (salt * 0x9e37_79b9), 0x85eb_ca6b);
  return (Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35) ^ (mixed >>> 16)) >>> 0;
}

/**
 * Records as an organization has them, and as somebody would choose them who wants searches to be slow: terms that are
 * common singly and never together, an agent whose records are all late, and here and there single late records, so that
 * every part of the ledger has something of the day before.
 */
export function auditRecord(seqNo: number): RecordShape {
  const draw = scattered(seqNo, 1) % 100;
  const agent = draw < 30 ? BUSY_AGENT : draw < 40 ? LATE_AGENT : scattered(seqNo, 2) % AGENTS;
  const type = TYPES[scattered(seqNo, 3) % TYPES.length] ?? 'file.read';
  const isHot = agent !== BUSY_AGENT && scattered(seqNo, 4) % 10 === 0;
  return {
    agent,
    operationType:
      seqNo % 50_000 === 17 ? 'rare.type' : agent === BUSY_AGENT && type === NEVER_OF_BUSY ? 'file.read' : type,
    subject: isHot
      ? HOT_SUBJECT
      : `repository/service-${scattered(seqNo, 5) % 300}/module-${scattered(seqNo, 6) % 40}.ts`,
    delayMs: agent === LATE_AGENT ? 20 * HOUR : seqNo % 1000 === 3 ? 10 * HOUR : 20 + (scattered(seqNo, 7) % 900),
  };
}
