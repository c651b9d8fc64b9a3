import { isAbsolute, resolve } from 'node:path';
import type { Clock, LedgerStore, Random, SharedLanes, Stop, Transport } from '../model/ports.ts';
import type { Measured } from '../render/data/metrics.ts';
import type { Situation } from '../model/report/all-clear.ts';
import type { Block } from '../render/tree.ts';
import type { RunEvents } from './run-events.ts';

/** A text stream. stdout carries data, stderr carries messages. */
export interface Output {
  write(text: string): void;
  /** Runs something before each write, so that progress is gone from a terminal first. */
  before?(clear: () => void): void;
  /** Takes what would be printed as text, for a command that gathers the results of several fleets. */
  take?(blocks: readonly Block[]): void;
  /** Whether the reader has closed the stream, as `| head` does. */
  readonly isUnread?: boolean;
  /** Whether a reader who leaves asks to stop, as `| head` does; not after `free`. */
  readonly isFree?: boolean;
  free?(): void;
  /** Waits no longer for a reader that does not take what was written. */
  abandon?(): void;
  /**
   * Why output was lost, such as on a full disk; resolves once all output has been written or
   * abandoned. Undefined if nothing was lost, or if the reader has closed the stream.
   */
  lost?(): Promise<Error | undefined>;
  readonly isTerminal: boolean;
  readonly columns: number;
}

/**
 * The identity of one process in a ledger: enough to check on this machine whether the holder of a
 * lease is alive.
 */
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** Separates two processes with the same process ID. */
  readonly startedAt: string;
  /** For messages: `user@host`, or the URL of a CI run. */
  readonly label: string;
  isAlive(pid: number, startedAt: string): boolean;
}

/**
 * A connection to the service: sockets in a real process, or anything else that answers requests.
 */
export interface ShellTransport {
  readonly transport: Transport;
  close(): Promise<void>;
}

/**
 * All access of a command to the outside world. `main.ts` creates one from the process; tests
 * create their own.
 */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly out: Output;
  readonly err: Output;
  readonly ask: ((question: string) => Promise<string>) | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly stop: Stop;
  /** Receives the events of a run, beside what a person sees of them. */
  readonly events?: RunEvents;
  /** `--quiet`: no progress is shown. */
  readonly isQuiet?: boolean;
  readonly identity: ProcessIdentity;
  /**
   * Folder of the user's state, for what has to outlive the working directory: the head of a ledger
   * (protocol J6). Absent where nothing is kept there.
   */
  readonly stateFolder?: string;
  /** The launcher that keeps the signals of a cancelled CI job from this process, if any. */
  readonly launcher?: string;
  /** The ledger that a caller of the library brings. */
  readonly ledger?: LedgerStore;
  /** Takes what is known of the command for its metrics, in place of what it had; absent where nobody asked for them. */
  measure?(known: Measured): void;
  /** The folder of the documents as it was typed, which each next step names. */
  readonly place?: string | undefined;
  /** The name of the fleet where it is one of several: its credentials are under this name alone. */
  readonly fleet?: string | undefined;
  /** The queues of requests that it shares with the others, where it is one of several. */
  readonly lanes?: SharedLanes | undefined;
  /** Told what the command judged, where it is one of several. */
  judged?(situation: Situation): void;
  openTransport(): Promise<ShellTransport>;
}

/** What a message for people needs. */
export type Spoken = Pick<Shell, 'err' | 'env' | 'place'>;

export function fleetFolder(shell: Pick<Shell, 'cwd'>, fleet: string): string {
  return isAbsolute(fleet) ? fleet : resolve(shell.cwd, fleet);
}
