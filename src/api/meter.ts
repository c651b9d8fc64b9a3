import type { Transport } from '../model/ports.ts';
import type { RequestCounts } from '../model/ledger/run-requests.ts';
import { requestFamily } from './wire.ts';

/** Counts requests as they leave, each try of its own. */
export interface Meter {
  counted(next: Transport): Transport;
  counts(): RequestCounts;
}

/** A meter for requests below a base path; counts nothing by itself. */
export function createMeter(prefix: string): Meter {
  const counts = { tokens: 0, lists: 0, devices: 0, details: 0, polls: 0, tasks: 0 };
  return {
    counted: (next) => (request) => {
      counts[kindOf(request, prefix)] += 1;
      return next(request);
    },
    counts: () => ({ ...counts }),
  };
}

function kindOf({ method, url }: Request, prefix: string): keyof RequestCounts {
  const path = new URL(url).pathname.slice(prefix.length);
  const family = requestFamily(path);
  const isOne = path.split('/').length > 3;
  if (family === 'token') return 'tokens';
  if (family === 'deviceReads') return 'details';
  if (family === 'tasks') return method === 'POST' ? 'tasks' : 'polls';
  return family === 'devices' && isOne ? 'devices' : 'lists';
}
