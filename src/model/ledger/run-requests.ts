import type { RequestCounts, RunRequests } from '../report/output.gen.ts';

export type { RequestCounts, RunRequests } from '../report/output.gen.ts';

/** What the fewest requests of a run depend on. */
export interface RunWork {
  readonly made: RequestCounts;
  /** Devices in the fleet. */
  readonly fleet: number;
  /** Devices that the run has sent a task to. */
  readonly sent: number;
  /** Whether discovered devices are listed. */
  readonly onboards: boolean;
}

/** New rows in a page of the whole list: its first few repeat the end of the page before. */
export const PAGE_ROWS = 995;

/**
 * The fewest requests for what a run did (protocol N33): a token, each list once, two reads for each
 * device that was sent a task, one POST each, and the polls of one reader.
 */
export function requestsOfRun({ made, fleet, sent, onboards }: RunWork): RunRequests {
  const lists = 2 + Math.max(1, Math.ceil(fleet / PAGE_ROWS)) + (onboards ? 1 : 0);
  const { tasks, polls } = made;
  const least = {
    tokens: Math.min(made.tokens, 1),
    lists: Math.min(made.lists, lists),
    // Lists may show the devices, and not every task needs a read of details.
    devices: Math.min(made.devices, sent),
    details: Math.min(made.details, sent),
    polls,
    tasks,
  };
  return { made, least };
}
