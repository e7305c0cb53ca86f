/**
 * What is used of Node's HTTP. An import of `node:http` would read every export of that module, and so load Node's fetch and
 * WebSocket: 12 MB, and 40 ms of processor time at each start, for nothing that is used here.
 */
export const { Agent, createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http');
