import type { Ports } from '../../src/apply/ports.ts';
import { runOn, type Run } from '../../src/apply/run/run.ts';

/** A run over as many of its ports as a test needs. */
export function aRun(ports: { readonly [Port in keyof Ports]?: unknown }): Run {
  return runOn({ journal: { memory: {} }, ...ports } as unknown as Ports);
}
