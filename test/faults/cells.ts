import { FAULT_CLASSES, type Endpoint, type FaultClass } from './classes.ts';

export type Phase = 'plan' | 'apply' | 'verify' | 'resume';

export interface Cell {
  readonly fault: FaultClass;
  readonly endpoint: Endpoint;
  readonly phase: Phase;
  readonly name: string;
}

/** A cell that cannot be, and why. */
export interface Impossible {
  readonly name: string;
  readonly why: string;
}

const ENDPOINTS: readonly Endpoint[] = [
  'token',
  'list',
  'read device',
  'create task',
  'read task',
  'ledger store',
];
const PHASES: readonly Phase[] = ['plan', 'apply', 'verify', 'resume'];

/** What is never asked in a phase, whatever the fault. */
const NEVER: Readonly<Partial<Record<`${Endpoint} ${Phase}`, string>>> = {
  'read device plan': 'a plan of a clean listing reads no device by its id',
  'create task plan': 'a plan sends nothing',
  'read task plan': 'a plan asks after no task',
  'read device verify':
    'what has ended is read back on one page of the list, which costs fewer requests',
  'token verify': 'a token outlives the time between the end of a task and its verification',
  'create task verify': 'nothing is sent any more once the last task has ended',
};

const POST_ONLY = 'the fault is one of accepting a task';
const NOT_HERE = 'the fault is one of answers of another shape';
const NOT_HTTP = 'the store does not speak HTTP to us: it says yes, no or nothing';

/** Every cell of the matrix: what can be, and what cannot with its reason. */
export function cells(): {
  readonly possible: readonly Cell[];
  readonly impossible: readonly Impossible[];
} {
  const possible: Cell[] = [];
  const impossible: Impossible[] = [];
  for (const cell of all()) {
    const why = reasonOf(cell.fault, cell.endpoint, cell.phase);
    if (why === undefined) possible.push(cell);
    else impossible.push({ name: cell.name, why });
  }
  return { possible, impossible };
}

function all(): readonly Cell[] {
  return FAULT_CLASSES.flatMap((fault) =>
    ENDPOINTS.flatMap((endpoint) =>
      PHASES.map((phase) => ({
        fault,
        endpoint,
        phase,
        name: `${fault.id} / ${endpoint} / ${phase}`,
      })),
    ),
  );
}

function reasonOf(fault: FaultClass, endpoint: Endpoint, phase: Phase): string | undefined {
  const never = NEVER[`${endpoint} ${phase}`];
  if (never !== undefined) return never;
  if (endpoint === 'ledger store') return storeReason(fault, phase);
  if (fault.at === undefined || fault.at.includes(endpoint)) return undefined;
  return fault.at.includes('create task') ? POST_ONLY : NOT_HERE;
}

function storeReason({ store }: FaultClass, phase: Phase): string | undefined {
  if (store === undefined) return NOT_HTTP;
  return phase === 'plan' ? 'a plan appends nothing' : undefined;
}
