import { isAbsolute, resolve } from 'node:path';
import type { Clock, Random, Transport } from '../../model/ports.ts';
import type { StopSignal } from './stop.ts';

/** A stream that text goes to. stdout carries data, stderr talk. */
export interface Output {
  write(text: string): void;
  /** How often it was written to; progress must not be drawn over what others wrote. */
  readonly writes?: number;
  /** Nobody reads it any more: `| head` has seen enough. */
  readonly isUnread?: boolean;
  /**
   * Why something that was written is lost, such as on a full disk: told once all of it has been taken or given up.
   * Undefined where nothing is, and where nobody reads any more.
   */
  lost?(): Promise<Error | undefined>;
  readonly isTerminal: boolean;
  readonly columns: number;
}

/**
 * What one process is to a ledger: enough to tell on this machine whether a holder of the lease
 * still lives.
 */
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** Tells two processes with the same pid apart. */
  readonly startedAt: string;
  /** For messages to people: `user@host`, or the address of a CI run. */
  readonly label: string;
  isAlive(pid: number, startedAt: string): boolean;
}

/** A way to the service: over sockets in a real process, or anything else that answers requests. */
export interface ShellTransport {
  readonly transport: Transport;
  close(): Promise<void>;
}

/**
 * Everything a command may ask of the outside world. `main.ts` makes one from the process, tests
 * make their own.
 */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly out: Output;
  readonly err: Output;
  /** Asks a question on the terminal; undefined where there is none to ask on. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly stop: StopSignal;
  readonly identity: ProcessIdentity;
  /** What keeps the signals of a cancelled CI job from this process, where something does. */
  readonly launcher?: string;
  openTransport(): Promise<ShellTransport>;
}

/** The folder of the documents as a full path. */
export function fleetFolder(shell: Pick<Shell, 'cwd'>, fleet: string): string {
  return isAbsolute(fleet) ? fleet : resolve(shell.cwd, fleet);
}
