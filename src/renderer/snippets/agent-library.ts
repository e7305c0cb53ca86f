import { scriptLiteral } from './literals.ts';
import {
  programFileName,
  programText,
  receiptsFileName,
  type Snippet,
  type SnippetFacts,
  TOKEN_VARIABLE,
} from './snippet.ts';
import { SNIPPETS_TEXTS } from './texts.ts';

/** By this project's library for agents. */
export function agentLibrarySnippet({ serviceUrl, serviceKid, orgId, agentId, kid, keyFile }: SnippetFacts): Snippet {
  const fileName = programFileName(agentId, 'ts');
  const text = scriptLiteral;
  return {
    id: 'library',
    label: SNIPPETS_TEXTS.agentLibrary,
    where: SNIPPETS_TEXTS.whereAgent,
    fileName,
    command: `npx node ${fileName}`,
    program: programText`import { readFileSync } from 'node:fs';
import { Agent } from './src/agent/index.ts';

const agent = new Agent({
  serviceUrl: ${text(serviceUrl)},
  // Receipts that any other key signed are refused.
  serviceKid: ${text(serviceKid)},
  token: process.env.${TOKEN_VARIABLE} ?? '',
  orgId: ${text(orgId)},
  agentId: ${text(agentId)},
  kid: ${text(kid)},
  // Where the private key was saved.
  privateKey: readFileSync(${text(keyFile)}, 'utf8'),
  receiptsFile: ${text(receiptsFileName(agentId))},
});
const receipt = await agent.submit({
  operationType: 'invoice.create',
  subject: 'invoice/1',
  action: 'create',
  payload: { total: 1250, currency: 'EUR' },
});
console.log(\`accepted: seq_no \${receipt.seq_no}, \${receipt.chain_hash}\`);
await agent.close();
`,
  };
}
