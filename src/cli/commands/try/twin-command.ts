import { printMessages } from '../../../shell/messages.ts';
import type { Shell } from '../../../shell/shell.ts';
import { twin, type TwinCommandOptions } from './twin.ts';

/** `fleetform twin`: serves a twin until a request to stop. */
export function twinCommand(options: TwinCommandOptions, shell: Shell): Promise<number> {
  return twin(options, {
    cwd: shell.cwd,
    out: (text) => shell.out.write(text),
    err: (text) => printMessages(shell, [text]),
    signal: shell.stop.draining,
  });
}
