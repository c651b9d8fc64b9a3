import type { Mutant } from './mutant.ts';

/** What leaves for the wire, and when (protocol I2, I3, I13). */
export const SENDING: readonly Mutant[] = [
  {
    id: '01-post-before-its-attempt-is-acknowledged',
    killer: { seed: 4 },
    patches: [
      {
        file: 'src/apply/send/post.ts',
        find: "if ((await run.journal.append([...before, body])) === 'lost') return { end: 'lost', done: [] };",
        replace: 'void run.journal.append([...before, body]).catch(() => undefined);',
      },
    ],
  },
  {
    id: '02-caller-retries-after-a-timeout',
    killer: { seed: 9 },
    patches: [
      {
        file: 'src/apply/send/post.ts',
        find: "return answer === 'late' ? { kind: 'failed', phase: 'sent', code: 'timedOut' } : answer;",
        replace:
          "return answer === 'late' || (answer.kind === 'failed' && answer.phase === 'sent') ? run.service.createTask(request) : answer;",
      },
    ],
  },
  {
    id: '03-transport-retries-post',
    killer: { seed: 9 },
    patches: [
      {
        file: 'src/api/compose.ts',
        find: 'post: authorize(noticing(open, lanes), tokens),',
        replace:
          'post: (request) => authorize(noticing(open, lanes), tokens)(request).catch(() => authorize(open, tokens)(request)),',
      },
    ],
  },
  {
    id: '04-redirect-followed',
    killer: { test: 'test/unit/api/transport/transport.test.ts' },
    patches: [
      {
        file: 'src/api/transport/transport.ts',
        find: 'import { Agent, Client, type Dispatcher }',
        replace: 'import { Agent, Client, interceptors, type Dispatcher }',
      },
      {
        file: 'src/api/transport/transport.ts',
        find: 'dispatcher.dispatch(sent,',
        replace: 'dispatcher.compose(interceptors.redirect({ maxRedirections: 3 })).dispatch(sent,',
      },
    ],
  },
  {
    id: '05-kept-alive-socket-reused',
    killer: { test: 'test/unit/api/transport/transport.test.ts' },
    patches: [
      {
        file: 'src/api/transport/transport.ts',
        find: '    reset: !isRead(request),\n',
        replace: '',
      },
      {
        file: 'src/api/transport/transport.ts',
        find: 'if (isRead(request)) return exchange(request, shared, options);',
        replace: 'if (shared) return exchange(request, shared, options);',
      },
    ],
  },
  {
    id: '06-5xx-is-rejected',
    killer: { seed: 26 },
    patches: [
      {
        file: 'src/apply/send/answer-outcome.ts',
        find: "{ id: 'P07', matches: status(429),",
        replace: "{ id: 'P07', matches: status(429, (code) => code >= 500),",
      },
    ],
  },
  {
    id: '07-409-is-rejected',
    killer: { test: 'test/unit/apply/send/outcome.test.ts' },
    patches: [
      {
        file: 'src/apply/send/answer-outcome.ts',
        find: "{ id: 'P06', matches: status(...REFUSALS),",
        replace: "{ id: 'P06', matches: status(...REFUSALS, 409),",
      },
    ],
  },
  {
    id: '08-2xx-without-id-is-accepted',
    killer: { seed: 26 },
    patches: [
      {
        file: 'src/apply/send/answer-outcome.ts',
        find: "{ id: 'P04', matches: status(isSuccess), outcome: 'inDoubt', next: 'settle' },",
        replace: "{ id: 'P04', matches: status(isSuccess), outcome: 'accepted', next: 'poll' },",
      },
    ],
  },
  {
    id: '09-cut-answer-is-rejected',
    killer: { seed: 9 },
    patches: [
      {
        file: 'src/apply/send/answer-outcome.ts',
        find: "{ id: 'P09', matches: failed('sent', ['cut']), outcome: 'inDoubt', next: 'settle' },",
        replace:
          "{ id: 'P09', matches: failed('sent', ['cut']), outcome: 'rejected', next: 'giveUp' },",
      },
      {
        file: 'src/apply/send/answer-outcome.ts',
        find: "{ id: 'P11', matches: failed('sent'), outcome: 'inDoubt', next: 'settle' },",
        replace: "{ id: 'P11', matches: failed('sent'), outcome: 'rejected', next: 'giveUp' },",
      },
    ],
  },
  {
    id: '10-401-loop-on-post',
    killer: { seed: 995 },
    patches: [
      {
        file: 'src/apply/run/machine.ts',
        find: "const refusedAgain = event.end === 'renewToken' && state.tokenRenewed;",
        replace: 'const refusedAgain = false;',
      },
    ],
  },
  {
    id: '11-send-deadline-off',
    killer: { test: 'test/unit/apply/paused.test.ts' },
    patches: [
      {
        file: 'src/apply/send/post.ts',
        find: 'return clock.now() > sendBy.wall || clock.monotonic() > sendBy.monotonic;',
        replace: 'return clock.now() < 0;',
      },
    ],
  },
  {
    id: '12-deadline-per-intent',
    killer: { test: 'test/unit/apply/paused.test.ts' },
    patches: [
      {
        file: 'src/apply/send/post.ts',
        find: "if ((await run.journal.append([...before, body])) === 'lost') return { end: 'lost', done: [] };",
        replace:
          "for (const { id } of body.intents) DEADLINES.set(id, sendBy);\n  if ((await run.journal.append([...before, body])) === 'lost') return { end: 'lost', done: [] };",
      },
      {
        file: 'src/apply/send/post.ts',
        find: 'const isLateNow = (): boolean => isLate(run, sendBy);',
        replace:
          'const isLateNow = (): boolean => isLate(run, DEADLINES.get(body.intents[0].id)!);',
      },
      {
        file: 'src/apply/send/post.ts',
        find: '/** Whether it is too late for the POST, by either clock. */',
        replace: 'const DEADLINES = new Map();\n',
      },
    ],
  },
  {
    id: '13-deadline-on-one-clock',
    killer: { test: 'test/unit/apply/send/deadline.test.ts' },
    patches: [
      {
        file: 'src/apply/send/post.ts',
        find: 'return clock.now() > sendBy.wall || clock.monotonic() > sendBy.monotonic;',
        replace: 'return clock.monotonic() > sendBy.monotonic;',
      },
    ],
  },
];
