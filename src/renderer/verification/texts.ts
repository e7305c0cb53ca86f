export const USE_THREAD = {
  failed: 'The verifier has failed in this window.',
} as const;

export const VERIFY_WORKER = {
  receiptsWithReport: 'This is a report of chosen records. Receipts are compared with bundles: remove them.',
  receiptsWithProof: 'This is a proof of records. Receipts are compared with bundles: remove them.',
  noBundle: 'This file is not a bundle.',
  damagedArchive: 'This file is compressed, and is damaged or ends too early.',
  cannotExtract: (reason: string) => `This file ${reason}.`,
  unsoundReport: (reason: string) => `This file is not a sound report: ${reason}`,
} as const;
