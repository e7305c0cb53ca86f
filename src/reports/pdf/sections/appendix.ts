import { writeFactBlock } from '../layout/fact-block.ts';
import type { Flow } from '../layout/flow.ts';
import type { Subject } from '../subject.ts';
import { textNotes } from '../text/text-note.ts';

/** What is hashed and signed: each name with its lines. */
const RECIPE: readonly (readonly [name: string, ...lines: string[]])[] = [
  ['service key', 'kid = base64url(H({"crv":"Ed25519","kty":"OKP","x":public_key})): compare it with yours'],
  [
    'agent key',
    'attestation = Ed25519(service key, JCS({type: "countersign.agent-key.v1", org_id,',
    '  agent_id, kid, public_key, algorithm, status, created_at, retired_at, service_kid}))',
  ],
  [
    'record',
    'payload_hash = H(JCS(payload)); signed = JCS(eor without payload and signature);',
    'signature = Ed25519(agent key, signed); chain_hash = H(signed || raw signature);',
    'prev_chain_hash = chain_hash of the record of the same agent before it',
  ],
  [
    'receipt',
    'statement = JCS(ear without service_signature, with type "countersign.receipt.v1");',
    'service_signature = Ed25519(service key, statement); leaf = H(B(0) || statement)',
  ],
  [
    'epoch',
    'root_hash = Merkle tree hash (RFC 9162) over the leaves in the order of seq_no;',
    'log_root = the same over the leaves from seq_no 1 to last_seq_no;',
    'statement = JCS(epoch without signature_by_service, with type "countersign.epoch.v1");',
    'signature_by_service = Ed25519(service key, statement);',
    'epoch hash = H(statement); prev_epoch_hash = epoch hash of the epoch before it',
  ],
  ['admin event', 'event_hash = H(JCS(event without event_hash, with type "countersign.admin-event.v1"))'],
  [
    'manifest',
    'records_digest = H(leaves), epochs_digest = H(epoch hashes),',
    'admin_events_digest = H(event hashes), each list as raw bytes one after the other;',
    'edges_digest = H(JCS(edges)); admin_log = count and newest hash of the events;',
    'directory_digest = H(JCS({agents, org, service_keys}));',
    'manifest_signature = Ed25519(service key, JCS(manifest))',
  ],
];

/** How to verify again, without this product and without its pages. */
export function writeAppendix(flow: Flow, subject: Subject): void {
  const { attachedAs, digests, furtherAttachments, version } = subject;
  flow.newPage();
  flow.open('Sect');
  flow.heading(2, 'Verify again', { bookmark: 'section' });
  flow.paragraph(
    'Nothing on these pages has to be believed. The bundle that they tell of is attached to this PDF, byte for byte; all that ' +
      'is needed besides is the issuer’s key, received another way than this file.',
  );
  flow.heading(3, '1. Take the bundle out, and compare its digest');
  flow.code([`pdfdetach -savefile ${attachedAs} -o bundle.json report.pdf`, 'sha256sum bundle.json', digests.sha256]);
  flow.paragraph('pdfdetach is part of poppler-utils; any PDF viewer that shows attachments does the same.');
  if (furtherAttachments.length > 0) {
    flow.paragraph('Attached besides:', flow.styles.body, { after: 2 });
    flow.list(furtherAttachments.map(({ name, description }) => `${name}: ${description}`));
  }
  flow.heading(3, '2. With Countersign');
  flow.code([
    'countersign verify report.pdf --trust KID',
    'countersign verify bundle.json --trust KID --receipts receipts.jsonl',
  ]);
  flow.paragraph(
    'KID is the issuer’s fingerprint as you received it. Exit code 0: verified, 1: failed, 3: incomplete, 2: not readable. ' +
      'Receipts are those that agents kept, one on a line; without them nobody can tell that the issuer left a record out at an end.',
  );
  flow.heading(3, '3. Without Countersign');
  flow.paragraph(
    'The bundle is JSON, and the protocol is public (docs/protocol of the product, with a second verifier in Python and test ' +
      'vectors). Any language with SHA-256 and Ed25519 will do. H is SHA-256, JCS the canonical form of RFC 8785, B a byte:',
  );
  writeFactBlock(
    flow,
    RECIPE.flatMap(([name, ...lines]) =>
      lines.map((value, index) => ({ name: index === 0 ? name : '', value, code: true })),
    ),
  );
  flow.gap(6);
  flow.paragraph(
    'Numbers of the records must have no gap in a bundle of all agents, and times no disorder. The last section of the protocol ' +
      'works one operation through, step by step.',
  );
  flow.heading(3, 'How text is shown');
  for (const note of textNotes(flow.styles.further.missingScripts)) flow.paragraph(note);
  flow.paragraph(`Made by Countersign ${version}.`, flow.styles.muted);
  flow.close();
}
