// This tool measures how faithfully requests and replies are translated; its specs write docs/fidelity.md.
export { replayCapture, type ReplayResult } from './replay/replay-capture';
export { openReplayHarness, type ReplayHarness } from './replay/replay-harness';
export { createLaneRunner, type LaneRunner } from './upstream-requests/run-lane';
