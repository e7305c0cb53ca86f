export type ToolType = 'function' | 'mcp' | 'shell' | 'file' | 'browser' | 'web' | 'agent' | 'other';

/** A tool, as a program names it. */
export interface SeenTool {
  /** The program's own name of it. */
  readonly name: string;
  readonly type: ToolType;
  /** Of an MCP tool, its server. */
  readonly server: string | null;
}

/** A resource that a call touches, as the profile names it. */
export interface Touched {
  readonly kind: 'file' | 'host' | 'account' | 'secret' | 'record' | 'payment' | 'process' | 'other';
  readonly id: string;
  readonly within?: string;
  readonly access: 'read' | 'write' | 'delete' | 'send';
}
