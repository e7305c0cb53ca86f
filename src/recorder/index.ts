/** The recorder: what agents do, as their programs tell it, signed with each agent's own key and kept until the service has it. */
export { recordAcpAgent } from './acp/acp-proxy.ts';
export { type AgentPolicy, installedFeeds } from './base/agent-file.ts';
export { type RecorderHome, recorderHome } from './base/home.ts';
export {
  FEED_IDS,
  type FeedId,
  isFeedId,
  isProgramId,
  kindOfFeed,
  OTHER_FEEDS,
  PROGRAM_IDS,
  type ProgramId,
  programName,
  serviceFeed,
  standingOf,
} from './base/programs.ts';
export { RecordError } from './base/record-error.ts';
export { wakeIfInstalled } from './compose/wake.ts';
export { checkSession, type SessionCheck } from './doctor/check/check-session.ts';
export { examine } from './doctor/doctor.ts';
export type { Finding, FindingCode } from './doctor/finding.ts';
export { checkAnswering } from './install/answering.ts';
export { planTrust } from './install/codex-trust.ts';
export { scriptPath } from './install/folders.ts';
export { type Installed, type InstallPlan, installedAgent, planInstall, type Surroundings } from './install/install.ts';
export { OWN_KEEPER } from './install/keeper.ts';
export { startIfNoneRuns } from './install/start-recorder.ts';
export { planUninstall, type TokenEnd } from './install/uninstall.ts';
export { askStatus, lossText, type RunningStatus } from './listen/ask-status.ts';
export { proxyToken, recordHttpServer, recordStdioServer } from './mcp/proxies.ts';
export { type SystemSurroundings, systemSteps, systemSurroundings } from './system/system.ts';
