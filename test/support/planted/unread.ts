/** What has no shape and no name: it may stand only where nothing is read from. */
export const UNREAD = {
  'a variable of the environment': 'umbrella-paper-lantern',
  'a header': 'velvet-copper-whistle',
  'an argument of a server': 'granite-tulip-harvest',
  "a server's environment": 'walnut-meadow-lighthouse',
};
export const [VARIABLE, HEADER, ARGUMENT, SERVER_VARIABLE] = Object.values(UNREAD) as [string, string, string, string];
/** Members that programs, or those who extend them, send along. */
export const BESIDES = {
  env: { NOTE: VARIABLE },
  environment: [{ name: 'NOTE', value: VARIABLE }],
  headers: { 'x-note': HEADER },
  mcp_context: {
    server_name: 'files',
    tool_name: 'note',
    command: 'server',
    args: [ARGUMENT],
    env: { NOTE: VARIABLE },
  },
  mcp_server: { name: 'files', command: 'server', args: [ARGUMENT], env: { NOTE: VARIABLE } },
};
