import type { Governed } from '../report/output.gen.ts';

export type { Governed, Who } from '../report/output.gen.ts';

/** How an entry applies to a device, the strongest first. */
export const GOVERNING = [
  'wins',
  'exempts',
  'uses',
  'loses',
  'member',
] as const satisfies readonly Governing[];
export type Governing = Governed['how'];
