import { chmod, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseBase } from '../../api/base-url.ts';
import { loadFleet } from '../../config/load.ts';
import { deliver } from '../../notify/webhook.ts';
import { fleetSamples, runSamples, type Ended, type Measured } from '../../render/data/metrics.ts';
import { linesOfOthers, prometheusText, type Sample } from '../../render/data/prometheus.ts';
import { metricsLostWords } from '../../render/words/last-words.ts';
import { EXIT, exitOfThrown } from '../../shell/exit.ts';
import { printMessages } from '../../shell/messages.ts';
import { fleetFolder, type Shell } from '../../shell/shell.ts';
import { replaceFile } from '../../store/local-file.ts';
import { deliverySignal } from './notify-run.ts';

/** The Pushgateway; it comes from the environment alone. */
const PUSH = 'FLEETFORM_METRICS_PUSH';

type MetricsFlags = Readonly<Record<'command' | 'fleet', string> & { metrics: string | undefined }>;

/**
 * Runs a command, then replaces its metrics, however it ended: with a report, with nothing to do, or before it had a
 * plan. Those of an earlier run would hide that this one failed. Returns the exit code, or throws what the
 * command threw. A failure to write or push them is printed, and changes neither.
 */
export async function measureRun(
  shell: Shell,
  flags: MetricsFlags,
  run: (shell: Shell) => Promise<number>,
): Promise<number> {
  const began = shell.clock.monotonic();
  let known: Measured = {};
  let exit: number = EXIT.error;
  try {
    exit = await run({ ...shell, measure: (more) => (known = { ...known, ...more }) });
  } catch (error) {
    exit = exitOfThrown(error);
    throw error;
  } finally {
    const [endedAt, took] = [shell.clock.now(), shell.clock.monotonic() - began];
    const ended = { exit, ...known, command: flags.command, endedAt, took };
    await leaveMetrics(shell, flags, ended).catch(tell(shell, flags.metrics ?? PUSH));
  }
  return exit;
}

function tell(shell: Shell, place: string) {
  return (failure: unknown): void => {
    if (failure) printMessages(shell, [metricsLostWords(place, failure)]);
  };
}

async function leaveMetrics(shell: Shell, flags: MetricsFlags, ended: Ended): Promise<void> {
  const { command, metrics: file } = flags;
  const { [PUSH]: url, FLEETFORM_ORGANIZATION: pinned } = shell.env;
  const fleet = await ended.fleet?.().catch(() => undefined);
  const { documents, service = documents?.service } = await loadFleet(
    fleetFolder(shell, flags.fleet),
  );
  // Documents that no reading has vouched for choose whose series they replace only where nothing is pinned.
  const organization =
    fleet?.plan.inputs.service.organization ?? (pinned || service?.value.organization);
  const own = [...runSamples(ended)];
  const ofFleet = fleet ? [...fleetSamples(fleet)] : [];
  if (file !== undefined) await write(resolve(shell.cwd, file)).catch(tell(shell, file));
  if (url) await push(url).then(tell(shell, PUSH), tell(shell, PUSH));

  /** Keeps the runs of other commands: a collector, another user, takes the series of a fleet from one file alone. */
  async function write(path: string): Promise<void> {
    const before = await readFile(path, 'utf8').catch(() => '');
    const kept = linesOfOthers(before, command, organization);
    await replaceFile(path, prometheusText([...own, ...ofFleet], organization, kept));
    await chmod(path, 0o644);
  }

  /** Replaces the groups of the command and of the fleet; the latter ends where nothing is known. */
  async function push(to: string) {
    if (organization === undefined) return { why: 'nameless' };
    const { origin, prefix } = parseBase(to);
    const name = Buffer.from(organization).toString('base64url');
    const group = `${origin}${prefix}/metrics/job/fleetform/organization@base64/${name}`;
    const { transport, close } = await shell.openTransport();
    const put = (url: string, samples: readonly Sample[]) => {
      const headers = { 'content-type': 'text/plain;charset=UTF-8' };
      const sent = { method: 'PUT', url, headers, body: prometheusText(samples, organization) };
      return deliver(sent, { transport, clock: shell.clock, signal: deliverySignal(shell) });
    };
    const failure = put(`${group}/command/${command}`, own);
    return failure.then((found) => found ?? put(group, ofFleet)).finally(close);
  }
}
