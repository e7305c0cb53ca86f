/** The fast crypto of Node and of Electron's main process, for the protocol layer. */
export { type NodeSigner, nodeCrypto, nodeSigner, threadedNodeCrypto } from './node-crypto.ts';
