import { utf8 } from '../bytes.ts';
import { canonicalize } from '../canonical.ts';
import { type BundledEvent, isWholeEvent } from '../statements/admin-event.ts';
import type { BundleAgent } from '../statements/agent-key.ts';
import type { Epoch } from '../statements/epoch.ts';
import type { Manifest } from '../statements/manifest.ts';
import type { ServiceKey } from '../statements/service-key.ts';
import type { BundleRecord } from './bundle-record.ts';
import { BUNDLE_FORMAT, type BundleOrg } from './document.ts';
import type { Edges } from './edges.ts';
import { HeldSizes, mostBytes, TooLarge } from './sizes.ts';

/** Everything of a bundle that stands before its records. */
export interface BundleHead {
  readonly service_keys: readonly ServiceKey[];
  readonly org: BundleOrg;
  readonly agents: readonly BundleAgent[];
  readonly epochs: readonly Epoch[];
  readonly edges: Edges;
  readonly admin_events: readonly BundledEvent[];
}

/**
 * A bundle as text, piece by piece, in the writers' order: `head`, then `record` for each, then `tail`. The pieces joined
 * are the document; the same values give the same bytes. There is no line break at the end, so that not one byte can be
 * cut off unnoticed.
 */
export class BundleWriter {
  #first = true;

  /** @throws TooLarge where no verifier would take so much (protocol F153) */
  head({ service_keys, org, agents, epochs, edges, admin_events }: BundleHead): string {
    const sizes = new HeldSizes();
    const taken = <T>(
      member: string,
      value: T,
      isElement: boolean,
      take?: (value: T, bytes: number) => void,
    ): string => {
      const text = JSON.stringify(value);
      const bytes = utf8(text).length;
      const most = mostBytes(member, isElement);
      if (bytes > most) throw new TooLarge(`${most} bytes in one part of "${member}"`);
      sizes.take(member, bytes);
      take?.(value, bytes);
      return text;
    };
    const list = <T>(member: string, values: readonly T[], take?: (value: T, bytes: number) => void): string =>
      `"${member}":[${values.map((value) => taken(member, value, true, take)).join(',')}]`;
    return [
      `{"format":${JSON.stringify(BUNDLE_FORMAT)}`,
      list('service_keys', service_keys),
      `"org":${taken('org', org, false)}`,
      list('agents', agents, ({ keys }) => sizes.takeAgentKeys(keys.length)),
      list('epochs', epochs),
      `"edges":${taken('edges', edges, false)}`,
      list('admin_events', admin_events, (event, bytes) => {
        if (isWholeEvent(event)) sizes.takeEvent(event, bytes);
      }),
      '"records":[\n',
    ].join(',\n');
  }

  record(record: BundleRecord): string {
    return this.recordText(JSON.stringify(record));
  }

  /** A record that is text already. @throws TooLarge */
  recordText(text: string): string {
    const most = mostBytes('records', true);
    // A UTF-16 code unit takes at most three bytes.
    if (text.length * 3 > most && utf8(text).length > most) throw new TooLarge(`${most} bytes in one record`);
    const separator = this.#first ? '' : ',\n';
    this.#first = false;
    return separator + text;
  }

  tail(manifest: Manifest, manifestSignature: string): string {
    return `\n],\n"manifest":${JSON.stringify(manifest)},\n"manifest_signature":${canonicalize(manifestSignature)}}`;
  }
}
