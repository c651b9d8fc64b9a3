import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtEntry } from './blackbox-build.ts';
import type { Env } from './blackbox.ts';

/** What a command of a shell left: its exit code, and both streams as one text. */
export interface ShellDone {
  readonly exit: number;
  readonly output: string;
}

/** A shell that remembers its directory and its variables from one line to the next. */
export interface PageShell extends AsyncDisposable {
  run(command: string): Promise<ShellDone>;
  /** Starts a command in another shell, in the present directory; resolves once it prints. */
  startBeside(command: string): Promise<void>;
}

const MARK = '--- ended with';

/**
 * Opens a shell in a folder with these variables alone. Commands read no input. Disposing it ends it
 * and what it started beside.
 */
export function openShell(folder: string, env: Env): PageShell {
  const shell = spawnShell(folder, env);
  const beside: ChildProcess[] = [];
  const run = async (command: string): Promise<ShellDone> => {
    const answer = readTo(shell, new RegExp(`\n${MARK} (\\d+)\n$`));
    // A name of its own keeps the exit code from the redirection that ends the input of the command.
    shell.stdin?.write(`{ ${command}\n} </dev/null 2>&1\nprintf '\\n${MARK} %s\\n' "$?"\n`);
    return await answer;
  };
  return {
    run,
    async startBeside(command) {
      const { output } = await run('pwd');
      const other = spawnShell(output.trim(), env);
      beside.push(other);
      const said = once(other.stdout as NodeJS.ReadableStream, 'data');
      other.stdin?.end(`exec ${command}\n`);
      await said;
    },
    async [Symbol.asyncDispose]() {
      for (const child of [shell, ...beside]) end(child);
    },
  };
}

/** Variables of a shell in which `fleetform` is the built command line. */
export function builtCommandEnv(folder: string, env: Env): Env {
  const bin = join(folder, '.bin');
  mkdirSync(bin, { recursive: true });
  const program = join(bin, 'fleetform');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${builtEntry()}' "$@"\n`);
  chmodSync(program, 0o755);
  return { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: folder, ...env };
}

/** Runs one line in a shell where `fleetform` is the built command line. */
export async function runInShell(folder: string, command: string, env: Env): Promise<ShellDone> {
  await using shell = openShell(folder, builtCommandEnv(folder, env));
  return await shell.run(command);
}

/** A process group of its own, so that its end is the end of all that it started. */
function spawnShell(cwd: string, env: Env): ChildProcess {
  return spawn('/bin/sh', [], { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
}

function end(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null) return;
  process.kill(-child.pid, 'SIGTERM');
}

function readTo(shell: ChildProcess, mark: RegExp): Promise<ShellDone> {
  return new Promise((resolve, reject) => {
    let text = '';
    const onEnd = (): void => reject(new Error(`the shell ended:\n${text}`));
    const onData = (chunk: Buffer): void => {
      text += chunk.toString();
      const match = mark.exec(text);
      if (!match) return;
      shell.stdout?.off('data', onData);
      shell.off('exit', onEnd);
      resolve({ exit: Number(match[1]), output: text.slice(0, match.index) });
    };
    shell.stdout?.on('data', onData);
    shell.once('exit', onEnd);
  });
}
