import type { Client } from '../api/client.ts';
import type { Dialect } from '../model/fleet/dialect.ts';
import type { OnProgress } from '../model/progress.ts';
import type { ServiceTarget } from './target.ts';

/** A command's way to the service. */
export interface Connection {
  readonly client: Client;
  readonly target: ServiceTarget;
  readonly dialect: Dialect;
  /** Shows the progress of the command, including waits of the client. */
  readonly onProgress: OnProgress;
  close(): Promise<void>;
}
