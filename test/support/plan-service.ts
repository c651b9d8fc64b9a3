import type { Device, DiscoveredDevice, Site } from '../../src/model/fleet/device.ts';
import type { Collection, Collections, Pass, Service } from '../../src/model/ports.ts';

type Rows = { readonly [C in Collection]?: readonly Collections[C][] };

/** One pass of a list: its rows a page at a time, and what it amounted to. */
export interface ListPass extends Rows {
  readonly torn?: Pass['torn'];
  /** Rows a page; all in one unless said. */
  readonly pageSize?: number;
}

/**
 * A service whose lists answer pass after pass, the last one again and again. Everything else is
 * refused.
 */
export function listing(passes: readonly ListPass[]): Service & { readonly asked: Collection[] } {
  const asked: Collection[] = [];
  const refuse = (): never => {
    throw new Error('not asked for in this test');
  };
  return {
    asked,
    async *list<C extends Collection>(collection: C) {
      const turn = asked.filter((each) => each === collection).length;
      asked.push(collection);
      const pass = passes[Math.min(turn, passes.length - 1)] ?? {};
      const rows = (pass[collection] ?? []) as readonly Collections[C][];
      const size = pass.pageSize ?? Math.max(1, rows.length);
      for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
      return {
        total: rows.length,
        rows: rows.length,
        pages: Math.ceil(rows.length / size),
        ...(pass.torn && { torn: pass.torn }),
      };
    },
    device: refuse,
    targetFirmware: refuse,
    passwords: refuse,
    certificates: refuse,
    firmwarePaths: refuse,
    holdToken: refuse,
    createTask: refuse,
    task: refuse,
  };
}

/** Devices with these ids and nothing else. */
export function bare(...ids: readonly string[]): readonly Device[] {
  return ids.map((id) => ({ id, probe: {}, sites: [], sources: [], available: {} }));
}

/** Sites or discovered devices with these ids and nothing else. */
export function named(...ids: readonly string[]): readonly (Site & DiscoveredDevice)[] {
  return ids.map((id) => ({ id }) as Site & DiscoveredDevice);
}
