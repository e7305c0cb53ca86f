import { plural } from '../../lib/plural.ts';

export const VERIFY_SCREEN = {
  backToStart: 'Back to the start',
  explained:
    '{file}: it is read here, sent nowhere and stored nowhere. Without the fingerprint of the issuer’s key, which should have come to you through a separate channel, the verdict is never {verified}: anybody can make a consistent bundle with a key of their own.',
  staysHere: 'The file stays in this window',
  verified: 'verified',
  fileLabel: 'Bundle, report or proof',
  several: 'Choose one bundle, report or proof at a time. Only receipts (.jsonl) can be chosen with it.',
  withReceipts: (files: number) => `${plural(files, 'file')} of receipts chosen with it.`,
  receiptsLabel: 'Receipts that agents kept, one file or several (optional)',
  trustedLabel: 'Trusted fingerprints of issuers',
  trustedHint: '60 digits or the kid. Separate several with commas. KEY@ORG_ID trusts a key for one organization only.',
  verify: 'Verify',
  cancel: 'Cancel',
  progress: 'Bytes verified',
  records: (count: number) => plural(count, 'record'),
} as const;
