import { describe, expect, it } from 'vitest';
import { FaultScriptError, parseFaults } from '../../../../src/twin/faults/fault-script.ts';

describe('a fault script', () => {
  it('keeps every rule as it is written', () => {
    const rules = [
      {
        match: { method: 'GET', path: '/v1/**', nth: 2, times: 3, share: 0.5 },
        fault: { type: 'html' },
      },
      { match: {}, fault: { type: 'latency', ms: 50 } },
      { match: {}, fault: { type: '429', retryAfter: 3 } },
      { match: {}, fault: { type: '429' } },
      { match: { taskType: 'restartDevice' }, fault: { type: 'failingDevice', result: 'aborted' } },
    ];
    expect(parseFaults(JSON.stringify(rules))).toEqual(rules);
  });

  it('matches everything where a rule has no match', () => {
    expect(parseFaults('[{"fault":{"type":"500"}}]')).toEqual([
      { match: {}, fault: { type: '500' } },
    ]);
  });

  it('knows every fault with its keys', () => {
    const rules = [
      { match: { endpoint: 'createTask' }, fault: { type: 'answer', status: 503, effect: true } },
      { match: { query: 'offset=100' }, fault: { type: 'total', by: -1 } },
      { match: { fromMs: 0, untilMs: 5 }, fault: { type: 'stale', versions: 3 } },
      { match: {}, fault: { type: 'lateExecution', ms: 9, answer: 'lost' } },
      { match: {}, fault: { type: 'rows', change: 'drop', count: 1, keepTotal: true } },
      { match: {}, fault: { type: 'word', field: 'status', value: 'sleeping' } },
      { match: {}, fault: { type: 'churn', change: 'delete', list: 'devices', rows: 2 } },
      { match: {}, fault: { type: 'outsider', deviceId: 'dev-1', set: { maintenance: true } } },
      { match: {}, fault: { type: 'unknownTask', ms: 60000 } },
    ];
    expect(parseFaults(JSON.stringify(rules))).toEqual(rules);
  });

  it.each([
    ['{', 'not JSON'],
    ['{}', 'list of rules'],
    ['[1]', 'rule 1: an object'],
    ['[{"fault":{"type":"500"}},{"fault":{"type":"boom"}}]', 'rule 2, fault: unknown type "boom"'],
    ['[{"fault":{"type":"boom"}}]', 'use one of 401, 429, 500, acceptedTwice, answer'],
    ['[{"fault":{}}]', 'rule 1, fault: type is missing'],
    ['[{}]', 'rule 1, fault: an object'],
    ['[{"fault":{"type":"500"},"when":1}]', 'unknown key "when"; use one of match, fault'],
    ['[{"match":{"url":"x"},"fault":{"type":"500"}}]', 'rule 1, match: unknown key "url"; use one'],
    ['[{"match":{"nth":"2"},"fault":{"type":"500"}}]', 'nth is "2"; it must be a whole number'],
    ['[{"match":{"path":2},"fault":{"type":"500"}}]', 'path is 2; it must be a text'],
    ['[{"match":{"endpoint":"tasks"},"fault":{"type":"500"}}]', 'one of createToken, listDevices'],
    [
      '[{"match":{"share":2},"fault":{"type":"500"}}]',
      'share is 2; it must be a number from 0 to 1',
    ],
    ['[{"fault":{"type":"latency"}}]', 'fault latency: ms is missing'],
    ['[{"fault":{"type":"latency","ms":-1}}]', 'ms is -1; it must be a number of milliseconds'],
    ['[{"fault":{"type":"500","ms":1}}]', 'fault 500: unknown key "ms"; it has none'],
    ['[{"fault":{"type":"failingDevice","result":"succeeded"}}]', 'one of failed, rolledBack'],
    ['[{"fault":{"type":"answer","status":101}}]', 'status is 101; it must be a status from 200'],
    ['[{"fault":{"type":"stale","versions":4}}]', 'versions is 4; it must be one of 1, 2, 3'],
    ['[{"fault":{"type":"word","field":"status"}}]', 'value is missing'],
    ['[{"fault":{"type":"outsider","deviceId":"d","set":{"colour":1}}}]', 'an object with name'],
  ])('%s is refused, and the reason is said', (text, reason) => {
    expect(() => parseFaults(text)).toThrow(FaultScriptError);
    expect(() => parseFaults(text)).toThrow(reason);
  });
});
