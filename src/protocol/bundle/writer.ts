import { canonicalize } from '../canonical.ts';
import type { BundledEvent } from '../statements/admin-event.ts';
import type { BundleAgent } from '../statements/agent-key.ts';
import type { Epoch } from '../statements/epoch.ts';
import type { Manifest } from '../statements/manifest.ts';
import type { ServiceKey } from '../statements/service-key.ts';
import type { BundleRecord } from './bundle-record.ts';
import { BUNDLE_FORMAT, type BundleOrg } from './document.ts';
import type { Edges } from './edges.ts';

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

  head({ service_keys, org, agents, epochs, edges, admin_events }: BundleHead): string {
    return [
      `{"format":${JSON.stringify(BUNDLE_FORMAT)}`,
      `"service_keys":${JSON.stringify(service_keys)}`,
      `"org":${JSON.stringify(org)}`,
      `"agents":${JSON.stringify(agents)}`,
      `"epochs":${JSON.stringify(epochs)}`,
      `"edges":${JSON.stringify(edges)}`,
      `"admin_events":${JSON.stringify(admin_events)}`,
      '"records":[\n',
    ].join(',\n');
  }

  record(record: BundleRecord): string {
    return this.recordText(JSON.stringify(record));
  }

  /** A record that is text already. */
  recordText(text: string): string {
    const separator = this.#first ? '' : ',\n';
    this.#first = false;
    return separator + text;
  }

  tail(manifest: Manifest, manifestSignature: string): string {
    return `\n],\n"manifest":${JSON.stringify(manifest)},\n"manifest_signature":${canonicalize(manifestSignature)}}`;
  }
}
