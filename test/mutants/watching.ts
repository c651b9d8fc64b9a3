import type { Mutant, Patch } from './mutant.ts';

/** What a trace throws reaches the request that it watched. */
const TRACE_THROWS: readonly Patch[] = [
  {
    file: 'src/api/client.ts',
    find: 'trace: options.trace && harmless(options.trace),',
    replace: 'trace: options.trace,',
  },
  {
    file: 'src/api/trace.ts',
    find: 'const write = harmless(',
    replace: 'const write = (',
  },
];

/** Rules 51 to 53: who watches does not steer. */
export const WATCHING: readonly Mutant[] = [
  {
    id: '51-failing-trace-is-not-sent',
    killer: { cell: 'trace on a full disk / create task / apply' },
    patches: [
      ...TRACE_THROWS,
      {
        file: 'src/api/client.ts',
        find: "  if (!(error instanceof TransportError)) return { kind: 'failed', phase: 'sent', code: 'failed' };",
        replace:
          "  if (!(error instanceof TransportError)) return { kind: 'failed', phase: 'unsent', code: 'failed' };",
      },
    ],
  },
  {
    id: '52-observer-is-believed',
    killer: { seed: 38 },
    patches: TRACE_THROWS,
  },
  {
    id: '53-failing-progress-ends-a-run',
    killer: { cell: 'observer that throws / create task / apply' },
    patches: [
      {
        file: 'src/apply/run/run.ts',
        find: '    progress: harmless(onProgress),',
        replace: '    progress: onProgress,',
      },
    ],
  },
];
