import { describe, expect, it } from 'vitest';
import { FaultScriptError, parseFaults } from '../../../src/twin/fault-script.ts';

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

  it.each([
    ['{', 'not JSON'],
    ['{}', 'list of rules'],
    ['[1]', 'rule 1: an object'],
    ['[{"fault":{"type":"500"}},{"fault":{"type":"boom"}}]', 'rule 2: unknown fault boom'],
    ['[{"fault":{}}]', 'unknown fault undefined'],
    ['[{"fault":{"type":"500"},"when":1}]', 'unknown key when'],
    ['[{"match":{"url":"x"},"fault":{"type":"500"}}]', 'unknown match url'],
    ['[{"match":{"nth":"2"},"fault":{"type":"500"}}]', 'nth must be a number'],
    ['[{"match":{"path":2},"fault":{"type":"500"}}]', 'path must be a string'],
    ['[{"fault":{"type":"latency"}}]', 'ms must be a number'],
    ['[{"fault":{"type":"latency","ms":-1}}]', 'ms must be a number'],
    ['[{"fault":{"type":"500","ms":1}}]', '500 has no ms'],
    ['[{"fault":{"type":"failingDevice","result":"succeeded"}}]', 'result must be'],
  ])('%s is refused, and the reason is said', (text, reason) => {
    expect(() => parseFaults(text)).toThrow(FaultScriptError);
    expect(() => parseFaults(text)).toThrow(reason);
  });
});
