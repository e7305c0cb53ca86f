import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { recorderHome } from '../../../src/recorder/base/home.ts';
import { type FeedId, isFeedId } from '../../../src/recorder/base/programs.ts';
import { Recorder } from '../../../src/recorder/engine/recorder.ts';
import type { Seen } from '../../../src/recorder/seen/seen.ts';
import { standIn } from '../stand-in-pipeline.ts';

/*
 * A recorder in a process of its own, on the folder that COUNTERSIGN_RECORDER names. POST / takes events, GET / says how it stands. POST /FEED is of another program than Codex.
 */
const home = recorderHome(process.env);
const recorder = new Recorder({ home, pipeline: standIn });
// What a killed recorder left.
rmSync(home.socket, { force: true });

function feedOf(path = '/'): FeedId {
  const feed = path.slice(1);
  return isFeedId(feed) ? feed : 'codex';
}

const server = createServer(async (request, response) => {
  const body = await text(request);
  const answer =
    request.method === 'GET' ? recorder.status() : await recorder.take(feedOf(request.url), JSON.parse(body) as Seen[]);
  response.end(JSON.stringify(answer));
});
server.listen(home.socket, () => process.stdout.write('listening\n'));
