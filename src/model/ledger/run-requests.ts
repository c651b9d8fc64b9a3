/** Requests that have left, each try of its own, by what they are for. */
export interface RequestCounts {
  readonly tokens: number;
  readonly lists: number;
  /** Single devices, by ID. */
  readonly devices: number;
  /** Credentials and targets of single devices. */
  readonly details: number;
  readonly polls: number;
  /** Task POSTs. */
  readonly tasks: number;
}

/** The requests of a run beside the fewest that its work takes (protocol N33). */
export interface RunRequests {
  readonly made: RequestCounts;
  readonly least: RequestCounts;
}

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
