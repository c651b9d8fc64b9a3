import { expect, it } from 'vitest';
import { pausedBlocks } from '../../../../src/render/outputs/decisions.ts';
import { printTerminal } from '../../../../src/render/print/terminal.ts';
import { PLAIN } from '../../../../src/render/sinks/paint.ts';

const NOTE = { scope: 'fleet', who: 'ada@desk', since: '2026-11-20T10:00:00Z' };

it('a second pause of a scope shows the first one, which holds as well (protocol N69)', () => {
  const paused = {
    service: { organization: 'acme', baseUrl: 'https://api.example.com' },
    pauses: [{ ...NOTE, who: 'bob@desk', why: 'the network moves', ticket: 'OPS-7' }],
    before: [{ ...NOTE, why: 'pictures are black', ticket: 'OPS-7' }],
    inFlight: [],
    begun: [],
  };
  const print = (shown: typeof paused) => [
    ...printTerminal(pausedBlocks(shown), { paint: PLAIN, width: 80 }),
  ];
  const lines = print(paused);
  expect(lines.slice(2, 4)).toEqual([
    'It was paused already, since Fri 20 Nov 2026 10:00 UTC by ada@desk: pictures are',
    '  black (OPS-7). One `unpause` ends both.',
  ]);
  expect(print({ ...paused, before: [] })).toHaveLength(lines.length - 2);
});
