import { pythonLiteral } from './literals.ts';
import { programFileName, programText, type Snippet, type SnippetFacts, TOKEN_VARIABLE } from './snippet.ts';
import { SNIPPETS_TEXTS } from './texts.ts';

/** By Python's standard library; openssl signs, for that library cannot. */
export function pythonSnippet({ serviceUrl, orgId, agentId, kid, keyFile }: SnippetFacts): Snippet {
  const fileName = programFileName(agentId, 'py');
  const text = pythonLiteral;
  return {
    id: 'python',
    label: SNIPPETS_TEXTS.python,
    where: SNIPPETS_TEXTS.wherePython,
    fileName,
    command: `python3 ${fileName}`,
    program: programText`import base64, datetime, hashlib, json, os, secrets, subprocess, tempfile, urllib.error, urllib.request, uuid

SERVICE = ${text(serviceUrl)}
AGENT_ID = ${text(agentId)}
# Where the private key was saved.
KEY = ${text(keyFile)}


def canonical(value):
    # RFC 8785, for names in ASCII and numbers that are whole.
    return json.dumps(value, sort_keys=True, separators=(',', ':'), ensure_ascii=False).encode()


def sign(message):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'message')
        with open(path, 'wb') as file:
            file.write(message)
        return subprocess.run(
            ['openssl', 'pkeyutl', '-sign', '-inkey', KEY, '-rawin', '-in', path], check=True, stdout=subprocess.PIPE
        ).stdout


def call(path, body=None):
    request = urllib.request.Request(SERVICE + path, data=None if body is None else json.dumps(body).encode())
    request.add_header('Authorization', 'Bearer ' + os.environ['${TOKEN_VARIABLE}'])
    request.add_header('Content-Type', 'application/json')
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        raise SystemExit(refusal.read().decode())


payload = {'total': 1250, 'currency': 'EUR'}
core = {
    'op_version': 1,
    'operation_id': str(uuid.uuid4()),
    'org_id': ${text(orgId)},
    'agent_id': AGENT_ID,
    'issued_at': datetime.datetime.now(datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ'),
    'ttl_ms': 300000,
    'nonce': secrets.token_hex(16),
    'operation_type': 'invoice.create',
    'subject': 'invoice/1',
    'action': 'create',
    'payload_hash': 'sha256:' + hashlib.sha256(canonical(payload)).hexdigest(),
    # What the record builds on: None, or the chain hash of the record before.
    'prev_chain_hash': call('/v1/agents/' + AGENT_ID + '/head')['chain_hash'],
    'agent_pubkey_kid': ${text(kid)},
}
signature = base64.b64encode(sign(canonical(core))).decode()
print(json.dumps(call('/v1/operations', {**core, 'payload': payload, 'signature': signature})))
`,
  };
}
