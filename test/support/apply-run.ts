import type { Ports } from '../../src/apply/ports.ts';
import { runOn, type Run } from '../../src/apply/run/run.ts';

/** A run over as many of its ports as a test needs. */
export function aRun(ports: { readonly [Port in keyof Ports]?: unknown }): Run {
  const { journal = { memory: {} }, ...others } = ports as {
    readonly journal?: { memory?: object };
  };
  const { memory = {} } = journal;
  if (!('coverage' in memory)) Object.assign(memory, { coverage: [] });
  return runOn({ journal: Object.assign(journal, { memory }), ...others } as unknown as Ports);
}
