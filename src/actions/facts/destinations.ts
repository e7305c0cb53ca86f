import type { DestinationWay } from '../fields/codes.ts';
import { accessOfTool, type PreparedRules } from './prepared-rules.ts';
import type { Leaf, ReadPayload } from './read-payload.ts';
import type { FactPhase, RecordFacts } from './record-facts.ts';

/** Where a call was directed. Derived from what the record says of the call; that anything arrived, no record shows. */
export interface Destination {
  readonly kind: 'address' | 'host';
  /** In lower case. */
  readonly id: string;
  /** Whether something was given with the call: a message, a body, a file. Else the destination was only asked. */
  readonly isSent: boolean;
  readonly way: DestinationWay;
}

/** Moments at which a call is carried out, or was; the others only speak of it. */
const CARRIED_OUT: readonly FactPhase[] = ['started', 'completed', 'failed', 'record'];

/** Whether a moment of a call says that it was carried out, or that it was not for a refusal: then what was proposed is what it was directed to. */
export function isDecided(phase: FactPhase): boolean {
  return phase === 'refused' || CARRIED_OUT.includes(phase);
}
const SENDERS: ReadonlySet<string> = new Set(['from', 'sender', 'reply_to', 'replyTo']);
const BODIES: ReadonlySet<string> = new Set([
  ...[
    'body',
    'data',
    'json',
    'form',
    'content',
    'payload',
    'message',
    'text',
    'file',
    'files',
    'attachment',
    'attachments',
  ],
  ...['upload', 'document', 'documents'],
]);
const METHODS: ReadonlySet<string> = new Set(['method', 'http_method', 'httpMethod', 'verb']);
/** The name of the member that a value is of; items of a list are of the list's. */
const nameOf = ({ path }: Leaf): string => path.findLast((part) => !/^[0-9]+$/.test(part)) ?? '';

/** What the values of a payload say of a request: whether it is a command's, its method, and whether it has a body. */
function requestOf(
  leaves: readonly Leaf[],
  commands: ReadonlySet<string>,
): { readonly isCommand: boolean; readonly method: string | null; readonly hasBody: boolean } {
  let isCommand = false;
  let method: string | null = null;
  let hasBody = false;
  for (const leaf of leaves) {
    const { value, pointer } = leaf;
    // What the call gave back says nothing of what it was given.
    if (/^\/(?:output|result|response|tool_response|return_value|outcome)(?:\/|$)/.test(pointer)) continue;
    const name = nameOf(leaf);
    if (typeof value === 'string' && commands.has(name)) isCommand = true;
    else if (typeof value === 'string' && METHODS.has(name)) method = value.toUpperCase();
    if (value !== null && value !== '' && leaf.path.some((part) => BODIES.has(part))) hasBody = true;
  }
  return { isCommand, method, hasBody };
}

/** Addresses that a payload names as whom a message is from, and nowhere else. */
function sendersIn(leaves: readonly Leaf[]): ReadonlySet<string> {
  const [senders, others] = [new Set<string>(), new Set<string>()];
  for (const leaf of leaves) {
    if (typeof leaf.value !== 'string' || !leaf.value.includes('@')) continue;
    (SENDERS.has(nameOf(leaf)) ? senders : others).add(leaf.value.toLowerCase());
  }
  return new Set([...senders].filter((sender) => !others.has(sender)));
}

/**
 * Where the call of a record was directed, each destination once; none of a record that only speaks of a call. Of one that proposes a call it
 * is where that would be directed: hooks tell what a call is given before it, and not once more at its end.
 */
export function destinationsOf(
  read: ReadPayload,
  { phase, tool, host, entity }: Pick<RecordFacts, 'phase' | 'tool' | 'host' | 'entity'>,
  { verbs, commands }: Pick<PreparedRules, 'verbs' | 'commands'>,
): readonly Destination[] {
  if (phase !== 'proposed' && !CARRIED_OUT.includes(phase)) return [];
  const found = new Map<string, Destination>();
  const senders = sendersIn(read.leaves);
  for (const { kind, id, access } of entity) {
    const address = id.toLowerCase();
    if (kind !== 'email' || access !== 'send' || senders.has(address)) continue;
    found.set(address, { kind: 'address', id: address, isSent: true, way: 'mail' });
  }
  if (host.length === 0) return [...found.values()];
  const { isCommand, method, hasBody } = requestOf(read.leaves, commands);
  const access = accessOfTool(tool, verbs);
  // What a command does with the hosts that it names, its words say.
  const gives =
    !isCommand &&
    (method === null
      ? access === 'send' || (access === 'write' && hasBody)
      : method !== 'GET' && method !== 'HEAD' && hasBody);
  const way = isCommand ? 'command' : method !== null || tool === null || tool === 'http' ? 'request' : 'tool';
  for (const name of host) {
    const id = name.toLowerCase();
    const said = entity.find((one) => one.kind === 'host' && one.id.toLowerCase() === id)?.access ?? 'mentioned';
    const isSent = said === 'read' ? false : gives || said === 'send';
    found.set(id, { kind: 'host', id, isSent, way });
  }
  return [...found.values()];
}
