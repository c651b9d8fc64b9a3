import type { Mutant } from './mutant.ts';

/** Rules 1 to 13 of the list in apply protocol 5.4: what leaves for the wire, and when. */
export const SENDING: readonly Mutant[] = [
  {
    id: '01-post-before-its-attempt-is-acknowledged',
    seed: 1,
    patches: [
      {
        file: 'src/apply/attempt.ts',
        find: "if ((await run.journal.append([...before, body])) === 'lost') return { end: 'lost', done };",
        replace: 'void run.journal.append([...before, body]).catch(() => undefined);',
      },
    ],
  },
  {
    id: '02-caller-retries-after-a-timeout',
    seed: 21,
    patches: [
      {
        file: 'src/apply/post.ts',
        find: "return answer === 'late' ? { kind: 'failed', phase: 'sent', code: 'timedOut' } : answer;",
        replace:
          "return answer === 'late' || (answer.kind === 'failed' && answer.phase === 'sent') ? run.service.createTask(request) : answer;",
      },
    ],
  },
  {
    id: '03-transport-retries-post',
    seed: 21,
    patches: [
      {
        file: 'src/api/compose.ts',
        find: 'post: authorize(noticing(open, lanes), tokens),',
        replace:
          'post: async (request) => { const again = request.clone(); return authorize(noticing(open, lanes), tokens)(request).catch(() => authorize(open, tokens)(again)); },',
      },
    ],
  },
  {
    id: '04-redirect-followed',
    patches: [
      {
        file: 'src/api/transport.ts',
        find: '    reset: !isRead(request),\n',
        replace: '    reset: !isRead(request), maxRedirections: 3,\n',
      },
    ],
    test: 'test/unit/api/origin.test.ts',
  },
  {
    id: '05-kept-alive-socket-reused',
    patches: [
      { file: 'src/api/transport.ts', find: '    reset: !isRead(request),\n', replace: '' },
    ],
    test: 'test/unit/api/transport.test.ts',
  },
  {
    id: '06-5xx-is-rejected',
    patches: [
      {
        file: 'src/apply/outcome.ts',
        find: "{ id: 'P07', matches: status(429),",
        replace: "{ id: 'P07', matches: status(429, (code) => code >= 500),",
      },
    ],
  },
  {
    id: '07-409-is-rejected',
    patches: [
      {
        file: 'src/apply/outcome.ts',
        find: "{ id: 'P06', matches: status(...REFUSALS),",
        replace: "{ id: 'P06', matches: status(...REFUSALS, 409),",
      },
    ],
  },
  {
    id: '08-2xx-without-id-is-accepted',
    seed: 26,
    patches: [
      {
        file: 'src/apply/outcome.ts',
        find: "{ id: 'P04', matches: status(isSuccess), outcome: 'inDoubt', next: 'settle' },",
        replace: "{ id: 'P04', matches: status(isSuccess), outcome: 'accepted', next: 'poll' },",
      },
    ],
  },
  {
    id: '09-cut-answer-is-rejected',
    seed: 25,
    patches: [
      {
        file: 'src/apply/outcome.ts',
        find: "{ id: 'P09', matches: wasCut, outcome: 'inDoubt', next: 'settle' },",
        replace: "{ id: 'P09', matches: wasCut, outcome: 'rejected', next: 'giveUp' },",
      },
      {
        file: 'src/apply/outcome.ts',
        find: "{ id: 'P11', matches: gotNoAnswer, outcome: 'inDoubt', next: 'settle' },",
        replace: "{ id: 'P11', matches: gotNoAnswer, outcome: 'rejected', next: 'giveUp' },",
      },
    ],
  },
  {
    id: '10-401-loop-on-post',
    patches: [
      {
        file: 'src/apply/machine.ts',
        find: "const refusedAgain = event.end === 'renewToken' && state.tokenRenewed;",
        replace: 'const refusedAgain = false;',
      },
    ],
    test: 'test/unit/apply/machine.test.ts',
  },
  {
    id: '11-send-deadline-off',
    patches: [
      {
        file: 'src/apply/attempt.ts',
        find: 'return clock.now() > sendBy.wall || clock.monotonic() > sendBy.monotonic;',
        replace: 'return clock.now() < 0;',
      },
    ],
  },
  {
    id: '13-deadline-on-one-clock',
    patches: [
      {
        file: 'src/apply/attempt.ts',
        find: 'return clock.now() > sendBy.wall || clock.monotonic() > sendBy.monotonic;',
        replace: 'return clock.monotonic() > sendBy.monotonic;',
      },
    ],
  },
];
