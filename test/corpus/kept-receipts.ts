import { readContents } from '../../src/protocol/index.ts';
import type { FileToUpload } from '../support/client.ts';

/** The receipts that each agent has for its records of a bundle, one a line, as the agent library keeps them: a file for each agent. */
export async function receiptsOf(bundle: Uint8Array): Promise<FileToUpload[]> {
  const lines = new Map<string, string>();
  for await (const contents of readContents(() => [bundle])) {
    for (const content of contents) {
      if (content.kind !== 'record') continue;
      const { ear } = content.value;
      lines.set(ear.agent_id, `${lines.get(ear.agent_id) ?? ''}${JSON.stringify(ear)}\n`);
    }
  }
  return Array.from(lines, ([agent, text]) => ({ name: `${agent}-receipts.jsonl`, bytes: Buffer.from(text) }));
}
