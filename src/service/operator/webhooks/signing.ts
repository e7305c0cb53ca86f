import { Webhook as Signer } from 'standardwebhooks';
import type { SealedSecret } from '../../ledger/keys/sealing.ts';

/** What the secret of a webhook is sealed for. */
export function secretContext(webhookId: string): string {
  return `webhook ${webhookId}`;
}

/** A webhook's secret as it is sealed. */
export function sealedSecret(row: { readonly webhookId: string; readonly sealedSecret: Uint8Array }): SealedSecret {
  return { sealed: row.sealedSecret, context: secretContext(row.webhookId) };
}

/**
 * The headers of Standard Webhooks: HMAC-SHA256 over id.timestamp.body.
 *
 * The key is the secret as it was given, its text in UTF-8, and nothing is decoded from it, a leading `whsec_` neither. A
 * receiver verifies with `new Webhook(secret, { format: 'raw' })`, with `new Webhook(Buffer.from(secret), …)` where the
 * secret is not ASCII, or with any library of Standard Webhooks given `whsec_` + base64 of the secret's bytes.
 *
 * @param id of the delivery: the same at every attempt, so that a receiver knows what it has had
 * @param time of this attempt, in milliseconds: receivers refuse what is some minutes old
 */
export function signedHeaders(secret: Uint8Array, id: string, time: number, body: string): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(time / 1000)),
    'webhook-signature': new Signer(secret, { format: 'raw' }).sign(id, new Date(time), body),
  };
}
