import { describe, expect, it } from 'vitest';
import { call, Played } from './played.ts';

describe('revision 2026-07-28', () => {
  // Written by hand after the specification.
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'claude-code', version: '3.0.0' },
  };
  const ask = { method: 'elicitation/create', params: { message: 'Which city?' } };
  const weather = { name: 'weather', arguments: { day: 'today' }, _meta: meta };

  it('links the requests of one call, and records what was asked on the way', () => {
    const played = new Played()
      .client(call(1, weather))
      .server({ id: 1, result: { resultType: 'input_required', inputRequests: { city: ask }, requestState: 's1' } })
      .client(
        call(2, {
          ...weather,
          inputResponses: { city: { action: 'accept', content: { city: 'Rome' } } },
          requestState: 's1',
        }),
      )
      .server({
        id: 2,
        result: {
          resultType: 'complete',
          content: [],
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'sky' } },
        },
      });
    expect(played.lines).toEqual([
      'started weather {"day":"today"}',
      'started mcp.elicitation {"message":"Which city?"}',
      'completed mcp.elicitation ok {"action":"accept","content":{"city":"Rome"}}',
      'completed weather ok {"content":[]}',
    ]);
    expect(played.seen[3]).toMatchObject({ witness: 'sky', program_version: '3.0.0', extra: { mcp_request: 'c0/1' } });
  });

  it('keeps calls apart whose servers give them the same state', () => {
    const hold = { resultType: 'input_required', inputRequests: {}, requestState: 'same' };
    const other = { ...weather, arguments: { day: 'tomorrow' } };
    const played = new Played()
      .client(call(1, weather))
      .client(call(2, other))
      .server({ id: 1, result: hold })
      .server({ id: 2, result: hold })
      .client(call(3, { ...other, requestState: 'same' }))
      .server({ id: 3, result: {} })
      .close();
    expect(played.lines.slice(2)).toEqual(['completed weather ok {}', 'failed weather unknown connection_closed']);
    expect(played.seen[2]).toMatchObject({ input: { day: 'tomorrow' } });
  });

  it('follows a task of the extension to its result', () => {
    const played = new Played()
      .client(call(1, weather))
      .server({ id: 1, result: { resultType: 'task', taskId: 't1', status: 'working' } })
      .client({ id: 2, method: 'tasks/get', params: { taskId: 't1' } })
      .server({ id: 2, result: { taskId: 't1', status: 'input_required', inputRequests: { city: ask } } })
      .client({
        id: 3,
        method: 'tasks/update',
        params: { taskId: 't1', inputResponses: { city: { action: 'cancel' } } },
      })
      .server({ id: 3, result: {} })
      .server({ method: 'notifications/tasks', params: { taskId: 't1', status: 'completed', result: { content: [] } } })
      .close();
    expect(played.lines).toEqual([
      'started weather {"day":"today"}',
      'started mcp.elicitation {"message":"Which city?"}',
      'completed mcp.elicitation ok {"action":"cancel"}',
      'completed weather ok {"content":[]}',
    ]);
  });
});

describe('tasks of revision 2025-11-25', () => {
  const created = { task: { taskId: 't1', status: 'working' } };

  it('takes the result from tasks/result', () => {
    const played = new Played()
      .client(call(1))
      .server({ id: 1, result: created })
      .client({ id: 2, method: 'tasks/get', params: { taskId: 't1' } })
      .server({ id: 2, result: { taskId: 't1', status: 'completed' } })
      .client({ id: 3, method: 'tasks/result', params: { taskId: 't1' } })
      .server({ id: 3, result: { content: [], isError: true } });
    expect(played.lines.slice(1)).toEqual(['failed echo error tool_error {"content":[],"isError":true}']);
  });

  it('knows of one that was cancelled, and of one whose result nobody fetched', () => {
    const cancelled = new Played()
      .client(call(1))
      .server({ id: 1, result: created })
      .client({ id: 2, method: 'tasks/cancel', params: { taskId: 't1' } })
      .server({ id: 2, result: { taskId: 't1', status: 'cancelled' } });
    expect(cancelled.lines.slice(1)).toEqual(['failed echo cancelled']);
    const left = new Played()
      .client(call(1))
      .server({ id: 1, result: created })
      .server({ method: 'notifications/tasks/status', params: { taskId: 't1', status: 'failed' } })
      .close();
    expect(left.lines.slice(1)).toEqual(['failed echo error task_failed']);
  });
});
