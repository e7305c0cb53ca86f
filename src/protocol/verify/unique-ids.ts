import type { Edges } from '../bundle/edges.ts';
import { pooledUtf8 } from '../bytes.ts';
import type { HostCrypto } from '../crypto.ts';
import { DigestSet } from './digest-set.ts';
import type { FindingLog } from './finding-log.ts';
import type { PreparedRecord } from './prepared-record.ts';
import type { FindingPlace } from './report.ts';

/** What no two records may share: an agent's nonce, the operation_id, the receipt_id. */
export class UniqueIds {
  readonly #host: HostCrypto;
  readonly #log: FindingLog;
  readonly #nonces = new DigestSet();
  readonly #operationIds = new DigestSet();
  readonly #receiptIds = new DigestSet();

  constructor(host: HostCrypto, log: FindingLog) {
    this.#host = host;
    this.#log = log;
  }

  /** After the last record: takes what stands next to the range, which was accepted like the records. */
  checkBeside({ before, after }: Edges): void {
    for (const [side, neighbour] of Object.entries({ before, after })) {
      if (neighbour === null) continue;
      const { operation_id, seq_no } = neighbour.ear;
      if (this.#operationIds.add(this.#host.sha256(pooledUtf8(operation_id.toLowerCase())))) continue;
      this.#log.add('OPERATION_ID_REUSED', {
        where: { member: `edges.${side}`, seq_no, operation_id },
        message: 'The receipt next to the range has the operation_id of a record in it, or of the other one.',
      });
    }
  }

  /** Takes the next record. */
  check({ eor, ear }: PreparedRecord, where: FindingPlace): void {
    const [host, log] = [this.#host, this.#log];
    // A NUL cannot occur in an agent_id: the pair is unambiguous.
    if (!this.#nonces.add(host.sha256(pooledUtf8(`${eor.agent_id}\0${eor.nonce}`)))) {
      log.add('NONCE_REUSED', { where, actual: eor.nonce, message: 'The agent used this nonce before.' });
    }
    if (!this.#operationIds.add(host.sha256(pooledUtf8(eor.operation_id.toLowerCase())))) {
      log.add('OPERATION_ID_REUSED', { where, message: 'Another record has the same operation_id.' });
    }
    if (!this.#receiptIds.add(host.sha256(pooledUtf8(ear.receipt_id)))) {
      log.add('RECEIPT_ID_REUSED', {
        where,
        actual: ear.receipt_id,
        message: 'Another receipt has the same receipt_id.',
      });
    }
  }
}
