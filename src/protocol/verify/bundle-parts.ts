import { BUNDLE_FORMAT, type BundleOrg, ORG_SHAPE } from '../bundle/document.ts';
import { type Edges, parseEdges } from '../bundle/edges.ts';
import { HeldSizes } from '../bundle/sizes.ts';
import type { Sha256 } from '../digest.ts';
import { parseJsonBytes } from '../json.ts';
import { ProtocolError } from '../protocol-error.ts';
import * as shape from '../shape.ts';
import { type BundledEvent, isWholeEvent, parseBundledEvent } from '../statements/admin-event.ts';
import { type BundleAgent, parseBundleAgent } from '../statements/agent-key.ts';
import { parseEpoch } from '../statements/epoch.ts';
import { type Manifest, parseManifest } from '../statements/manifest.ts';
import { parseServiceKey, type ServiceKey } from '../statements/service-key.ts';
import { type NotedEvent, noteEvent } from './noted-event.ts';
import { PackedEpochs } from './packed-epochs.ts';

/** Everything of a bundle but its records, as it is read, parsed and not verified; null where it did not come, or not whole. */
export class BundleParts {
  readonly #hash: Sha256;
  /** The value of `format`, whatever it is. */
  format: unknown = null;
  org: BundleOrg | null = null;
  edges: Edges | null = null;
  manifest: Manifest | null = null;
  manifestSignature: string | null = null;
  readonly serviceKeys: ServiceKey[] = [];
  readonly agents: BundleAgent[] = [];
  readonly epochs = new PackedEpochs();
  readonly events: NotedEvent[] = [];
  readonly #sizes = new HeldSizes();

  constructor(hash: Sha256) {
    this.#hash = hash;
  }

  /** Whether the file says that it is a bundle of this version. */
  get isOfThisFormat(): boolean {
    return this.format === BUNDLE_FORMAT;
  }

  /**
   * Takes a member, or an element of one, other than a record.
   * @throws TooLarge; any other ProtocolError where the part is not as it should be
   */
  take(member: string, bytes: Uint8Array): void {
    this.#sizes.take(member, bytes.length);
    const value = parseJsonBytes(bytes, { oneSpelling: true });
    switch (member) {
      case 'format':
        this.format = value;
        break;
      case 'org':
        this.org = shape.parseShape(value, ORG_SHAPE, 'org');
        break;
      case 'service_keys':
        this.serviceKeys.push(parseServiceKey(value));
        break;
      case 'agents':
        this.#takeAgent(parseBundleAgent(value));
        break;
      case 'epochs':
        this.epochs.push(parseEpoch(value));
        break;
      case 'edges':
        this.edges = parseEdges(value);
        break;
      case 'admin_events':
        this.#takeEvent(parseBundledEvent(value), bytes.length);
        break;
      case 'manifest':
        this.manifest = parseManifest(value);
        break;
      default:
        if (shape.signature(value) !== null) throw new ProtocolError('SHAPE_INVALID', 'expected a signature');
        this.manifestSignature = value as string;
    }
  }

  #takeEvent(event: BundledEvent, bytes: number): void {
    if (isWholeEvent(event)) this.#sizes.takeEvent(event, bytes);
    this.events.push(noteEvent(event, this.#hash, this.events.at(-1)));
  }

  #takeAgent(agent: BundleAgent): void {
    this.#sizes.takeAgentKeys(agent.keys.length);
    this.agents.push(agent);
  }
}
