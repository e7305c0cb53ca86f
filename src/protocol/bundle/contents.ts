import { parseJsonBytes } from '../json.ts';
import { ProtocolError } from '../protocol-error.ts';
import * as shape from '../shape.ts';
import { type AdminEvent, isWholeEvent, parseBundledEvent, type WithheldEvent } from '../statements/admin-event.ts';
import { type BundleAgent, parseBundleAgent } from '../statements/agent-key.ts';
import { type Epoch, parseEpoch } from '../statements/epoch.ts';
import { type Manifest, parseManifest } from '../statements/manifest.ts';
import { parseServiceKey, type ServiceKey } from '../statements/service-key.ts';
import type { BundleRecord } from './bundle-record.ts';
import { parseBundleRecord } from './bundle-record.ts';
import { BUNDLE, type BundleOrg, type BundleSource, ORG_SHAPE } from './document.ts';
import { type Edges, parseEdges } from './edges.ts';
import { type BundleEvent, misplaced, readBundle } from './reader.ts';
import { ScanError } from './scanner.ts';

/** One part of a bundle: parsed and of the right shape, but not verified. Lines count from 1. */
export type BundleContent =
  | { readonly kind: 'org'; readonly line: number; readonly value: BundleOrg }
  | { readonly kind: 'service_key'; readonly line: number; readonly value: ServiceKey }
  | { readonly kind: 'agent'; readonly line: number; readonly value: BundleAgent }
  | { readonly kind: 'epoch'; readonly line: number; readonly value: Epoch }
  | { readonly kind: 'edges'; readonly line: number; readonly value: Edges }
  | { readonly kind: 'admin_event'; readonly line: number; readonly value: AdminEvent }
  | { readonly kind: 'withheld_event'; readonly line: number; readonly value: WithheldEvent }
  /** `text` is the record as it stands there, byte for byte. */
  | { readonly kind: 'record'; readonly line: number; readonly value: BundleRecord; readonly text: Uint8Array }
  | { readonly kind: 'manifest'; readonly line: number; readonly value: Manifest }
  /** A part that is not as it should be; reading continues after it. */
  | { readonly kind: 'unreadable'; readonly line: number; readonly member: string; readonly message: string }
  /** The document is broken: nothing comes after this. */
  | { readonly kind: 'broken'; readonly line: number; readonly message: string };

function parseContent(member: string, bytes: Uint8Array, line: number): BundleContent | null {
  if (member === 'records') return { kind: 'record', line, value: parseBundleRecord(bytes), text: bytes };
  const value = parseJsonBytes(bytes, { oneSpelling: true });
  switch (member) {
    case 'org':
      return { kind: 'org', line, value: shape.parseShape(value, ORG_SHAPE, 'org') };
    case 'service_keys':
      return { kind: 'service_key', line, value: parseServiceKey(value) };
    case 'agents':
      return { kind: 'agent', line, value: parseBundleAgent(value) };
    case 'epochs':
      return { kind: 'epoch', line, value: parseEpoch(value) };
    case 'edges':
      return { kind: 'edges', line, value: parseEdges(value) };
    case 'admin_events': {
      const event = parseBundledEvent(value);
      return isWholeEvent(event)
        ? { kind: 'admin_event', line, value: event }
        : { kind: 'withheld_event', line, value: event };
    }
    case 'manifest':
      return { kind: 'manifest', line, value: parseManifest(value) };
    default:
      return null;
  }
}

function contentOf(event: BundleEvent, withoutRecords: boolean): BundleContent | null {
  const { member, line } = event;
  const message = misplaced(event, BUNDLE);
  if (message !== null) return { kind: 'broken', line, message };
  if (event.kind === 'array' || (withoutRecords && member === 'records')) return null;
  try {
    return parseContent(member, event.bytes, line);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return { kind: 'unreadable', line, member: error.member ?? member, message: error.message };
  }
}

/**
 * The parts of a bundle, in the order of the document, a list for every slice of the file: for showing it. Nothing of
 * it is verified; that is `verifyBundle`, which refuses the same parts as unreadable.
 * @param withoutRecords passes over the records, which are not even parsed
 * @throws only what the source itself throws
 */
export async function* readContents(
  source: BundleSource,
  { withoutRecords = false } = {},
): AsyncGenerator<readonly BundleContent[]> {
  try {
    for await (const events of readBundle(source)) {
      const contents: BundleContent[] = [];
      for (const event of events) {
        const content = contentOf(event, withoutRecords);
        if (content !== null) contents.push(content);
        if (content?.kind === 'broken') break;
      }
      yield contents;
      if (contents.at(-1)?.kind === 'broken') return;
    }
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    yield [{ kind: 'broken', line: error.line, message: error.message }];
  }
}
