/** The fast crypto of Node and of Electron's main process, for the protocol layer. */
export { nodeCrypto, nodeSigner } from './node-crypto.ts';
