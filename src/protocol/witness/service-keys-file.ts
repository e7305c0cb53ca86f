import { withoutMark } from '../bytes.ts';
import { canonicalBytes } from '../canonical.ts';
import { parseJsonBytes } from '../json.ts';
import * as shape from '../shape.ts';
import { parseServiceKey, type ServiceKey } from '../statements/service-key.ts';

const TYPE = 'countersign.service-keys.v1';
/** As many as a proof of equivocation takes. */
const MAX_KEYS = 1000;

const SHAPE: shape.Shape<{ readonly type: string; readonly service_keys: readonly unknown[] }> = {
  type: shape.constant(TYPE),
  service_keys: shape.listOf(1, MAX_KEYS),
};

/** The service keys of a log as a file (protocol F120): what a witness checks its checkpoints with. */
export function serviceKeysBytes(keys: readonly ServiceKey[]): Uint8Array {
  return canonicalBytes({ type: TYPE, service_keys: keys });
}

/** @throws ProtocolError JSON_INVALID, SHAPE_INVALID */
export function parseServiceKeys(bytes: Uint8Array): ServiceKey[] {
  const { service_keys } = shape.parseShape(parseJsonBytes(withoutMark(bytes)) as unknown, SHAPE, 'service keys');
  return service_keys.map(parseServiceKey);
}
