import type { Command as Registered } from 'commander';
import { EXIT } from '../../shell/exit.ts';
import type { Shell } from '../../shell/shell.ts';

/** One row of the flags of a command, or of its arguments; `T` is what the command gets of it. */
export interface Flag<T = unknown> {
  /** One line for the help. */
  readonly about: string;
  /** How the help names the value: `FILE`; absent for a switch. */
  readonly value?: string;
  /** Makes the value from its text, and from the value before where a flag is given again. */
  parse?(text: string, before?: T): T;
  readonly choices?: readonly string[];
  readonly default?: T;
  /** The default as the help prints it. */
  readonly shown?: string;
  readonly must?: true;
  readonly short?: string;
  /** The heading of the help; absent: `Flags:`. */
  readonly group?: string;
  readonly isHidden?: boolean;
  readonly isArgument?: boolean;
}

/** A flag as it is typed: `saveSnapshot` is `--save-snapshot`. */
export function longName(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The flags and arguments of a command by the names that its code has for them. */
export type Flags = Readonly<Record<string, Flag>>;

type ValueOf<F> = F extends Flag<infer T> ? T : never;
type Known<F> = { [K in keyof F]: undefined extends ValueOf<F[K]> ? never : K }[keyof F];

/** What a command gets: a flag without a default may be absent. */
export type FlagsOf<F> = { readonly [K in Known<F>]: ValueOf<F[K]> } & {
  readonly [K in Exclude<keyof F, Known<F>>]?: Exclude<ValueOf<F[K]>, undefined>;
};

/** The help of a command, its flags, and what it does. */
export interface Command<F extends Flags = Flags, S extends Flags = Flags> {
  /** As it is typed: `audit verify`. */
  readonly name: string;
  /** One line: the effect first, imperative, no full stop. */
  readonly summary: string;
  /** A second sentence or two, for the help of the command itself. */
  readonly more?: string;
  /**
   * Command lines without `fleetform`, or lines of a shell with it; `# text` behind one explains it.
   * Tests run each of them. A command that only holds others has none.
   */
  readonly examples: readonly string[];
  /** Its variables where they are others than those of a connection to the service. */
  readonly environment?: readonly string[];
  readonly flags: F;
  /** The flags of the command above that it takes, too. */
  readonly shared?: S;
  /** Whether its result is more than what it prints or saves: a change of the fleet, a record, a repository or a service. */
  readonly acts?: boolean;
  /** Returns the exit code. The last argument is the command as it is registered, for what is about all commands. */
  run(flags: FlagsOf<F> & FlagsOf<S>, shell: Shell, registered?: Registered): Promise<number>;
}

export type AnyCommand = Omit<Command, 'run'> & {
  run(flags: never, shell: Shell, registered?: Registered): Promise<number>;
};

/** A command as its file declares it: without an exit code, it has succeeded. */
type Declared<F extends Flags, S extends Flags> = Omit<Command<F, S>, 'run'> & {
  run(...given: Parameters<Command<F, S>['run']>): Promise<number | void>;
};

/**
 * Declares a command: the one place of its flags, of what it does and of what it prints. Its file is loaded for every
 * help, so what reads, plans or writes is imported where the command runs.
 */
export function command<F extends Flags, S extends Flags = Record<never, never>>(
  declared: Declared<F, S>,
): Command<F, S> {
  return {
    ...declared,
    async run(flags, shell, registered) {
      const run = async (within: Shell) =>
        (await declared.run(flags, within, registered)) ?? EXIT.done;
      // A command that another one runs leaves no metrics of its own.
      if (!declared.flags['metrics'] || shell.measure) return run(shell);
      const { fleet = '', metrics } = flags as Readonly<Record<string, string | undefined>>;
      if (metrics === undefined && !shell.env['FLEETFORM_METRICS_PUSH']) return run(shell);
      const { measureRun } = await import('../../operations/outcome/leave-metrics.ts');
      return measureRun(shell, { fleet, metrics, command: declared.name.replace('ci ', '') }, run);
    },
  };
}
