import { shellLiteral } from './literals.ts';
import { programFileName, programText, type Snippet, type SnippetFacts, TOKEN_VARIABLE } from './snippet.ts';
import { SNIPPETS_TEXTS } from './texts.ts';

/**
 * By curl and openssl alone. What is signed is written down in canonical form (RFC 8785): members in order, no blanks.
 * So nothing in it has to be parsed or sorted by the shell.
 */
export function curlSnippet({ serviceUrl, orgId, agentId, kid, keyFile }: SnippetFacts): Snippet {
  const fileName = programFileName(agentId, 'sh');
  const text = shellLiteral;
  return {
    id: 'curl',
    label: SNIPPETS_TEXTS.curl,
    where: SNIPPETS_TEXTS.whereCurl,
    fileName,
    command: programText`sh ${fileName}`,
    program: programText`set -eu
service=${text(serviceUrl)}
org_id=${text(orgId)}
agent_id=${text(agentId)}
kid=${text(JSON.stringify(kid))}
# Where the private key was saved.
key=${text(keyFile)}
# Canonical: members in order, no blanks.
payload='{"currency":"EUR","total":1250}'

folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
call() { curl -sS --fail-with-body -H "Authorization: Bearer $${TOKEN_VARIABLE}" "$@"; }

# What the record builds on: null, or the chain hash of the record before.
head=$(call "$service/v1/agents/$agent_id/head" | sed -E 's/.*"chain_hash":("[^"]*"|null).*/\\1/')
hash=$(printf '%s' "$payload" | openssl dgst -sha256 -r | cut -d ' ' -f 1)
id=$(openssl rand -hex 16 | sed -E 's/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/\\1-\\2-4\\3-a\\4-\\5/')
core='{"action":"create","agent_id":"'$agent_id'","agent_pubkey_kid":'$kid',"issued_at":"'$(date -u +%Y-%m-%dT%H:%M:%SZ)'",'
core=$core'"nonce":"'$(openssl rand -hex 16)'","op_version":1,"operation_id":"'$id'","operation_type":"invoice.create",'
core=$core'"org_id":"'$org_id'","payload_hash":"sha256:'$hash'","prev_chain_hash":'$head','
core=$core'"subject":"invoice/1","ttl_ms":300000}'
printf '%s' "$core" > "$folder/core"
signature=$(openssl pkeyutl -sign -inkey "$key" -rawin -in "$folder/core" | openssl base64 -A)
printf '%s' "\${core%\\}},\\"payload\\":$payload,\\"signature\\":\\"$signature\\"}" > "$folder/record"
call "$service/v1/operations" -H 'Content-Type: application/json' --data-binary "@$folder/record"
echo
`,
  };
}
