import { nameOf } from './texts.ts';
import type { SeenTool } from './tool.ts';

/** What a tool does, as far as its name tells; `upkeep` is the program's own: plans, lists of tasks, questions to the user. */
export type ToolCategory = 'shell' | 'read' | 'write' | 'search' | 'web' | 'agent' | 'upkeep' | 'mcp' | 'other';

/*
 * The tools of the ten programs, in lowercase without `_` and `-`: the programs spell one name in several ways (read_file, ReadFile,
 * readFile), and mean the same by it.
 */
const TOOLS = {
  shell: `bash shell sh zsh powershell pwsh runshellcommand execcommand localshell shellcommand executebash executepwsh
    runcommand runterminalcmd runinterminal runcommands terminal writestdin writebash writepowershell killshell killbash stopbash
    stoppowershell controlbashprocess`,
  read: `read readfile readmanyfiles readmultiplefiles readmediafile readcode fsread view viewimage notebookread showfile
    openfile getinternaldocs fs/readtextfile
    readfiles readimage`,
  write: `write writefile edit editfile multiedit multieditfile strreplace strreplacefile strreplaceeditor strreplacebasededittool
    replace searchreplace create createfile insert notebookedit editnotebook applypatch gitapplypatch patch fswrite fsappend append
    delete deletefile movefile savememory storememory memory memoryapplypatch fs/writetextfile
    writecode editor texteditor`,
  search: `grep grepsearch grepfiles searchfilecontent glob filesearch findfiles ls list listdir listdirectory rg codesearch
    codebasesearch semanticsearch search searchcode lsp conversationsearch searchcodebase tree`,
  web: `webfetch websearch googlewebsearch fetch fetchurl fetchwebpage searchweb remotewebsearch browse browser
    fetchwebcontent`,
  agent: `task agent subagent spawnagent usesubagent invokesubagent createsubagent codebaseinvestigator generalist delegate
    sendmessage sendinput writeagent closeagent agentswarm followuptask interruptagent invokeagent`,
  upkeep: `todowrite todoread todolist settodolist writetodos updatetodo taskcreate taskget taskupdate tasklist taskoutput taskstop
    taskstatus bashoutput readbash readpowershell listbash listagents readagent wait updateplan enterplanmode exitplanmode planenter
    planexit waitagent think thinking reportintent askuser askuserquestion question userinput requestuserinput skill activateskill toolsearch
    introspect clihelp completetask fetchcopilotclidocumentation listmcpresourcestool listmcpresources
    elicitation/create askquestion`,
} satisfies Partial<Record<ToolCategory, string>>;

const CATEGORY_OF = new Map<string, ToolCategory>(
  (['shell', 'read', 'write', 'search', 'web', 'agent', 'upkeep'] as const).flatMap((category) =>
    TOOLS[category].split(/\s+/).map((name): [string, ToolCategory] => [name, category]),
  ),
);

const TYPE_OF = {
  shell: 'shell',
  read: 'file',
  write: 'file',
  search: 'file',
  web: 'web',
  agent: 'agent',
  upkeep: 'other',
  mcp: 'mcp',
  other: 'other',
} as const satisfies Record<ToolCategory, SeenTool['type']>;

/** How programs call a tool of an MCP server: server and tool, of which Cursor says the tool alone. */
const MCP_NAMES = [/^mcp__(?<server>.+?)__(?<tool>.+)$/s, /^@(?<server>[^/]+)\/(?<tool>.+)$/s, /^MCP:\s*(?<tool>.+)$/s];

/** What Codex writes before the name of a tool of a group, without anything between them. */
const GROUPS = /^(?:collaboration|multiagentv\d+)/;

export function categoryOf(tool: Pick<SeenTool, 'name' | 'type'>): ToolCategory {
  if (tool.type === 'mcp') return 'mcp';
  const spelled = tool.name.toLowerCase().replaceAll(/[_-]/g, '');
  const named = CATEGORY_OF.get(spelled) ?? CATEGORY_OF.get(spelled.replace(GROUPS, ''));
  if (named !== undefined) return named;
  switch (tool.type) {
    case 'shell':
    case 'agent':
      return tool.type;
    case 'web':
    case 'browser':
      return 'web';
    case 'file':
      // Whatever may change a file counts as doing so.
      return 'write';
    default:
      return 'other';
  }
}

/**
 * The tool that a program names. An MCP tool has the name that its server gives it.
 * @param mcp the server and tool, where the program says them apart
 */
export function toolOf(
  name: string | undefined,
  mcp?: { readonly server?: string | undefined; readonly tool?: string | undefined },
): SeenTool {
  const inName = MCP_NAMES.map((form) => form.exec(name ?? '')?.groups).find((groups) => groups !== undefined);
  const server = nameOf(mcp?.server) ?? nameOf(inName?.['server']);
  if (server !== undefined || inName !== undefined) {
    return { name: nameOf(mcp?.tool ?? inName?.['tool'] ?? name) ?? 'unnamed', type: 'mcp', server: server ?? null };
  }
  const own = nameOf(name) ?? 'unnamed';
  return { name: own, type: TYPE_OF[categoryOf({ name: own, type: 'other' })], server: null };
}
