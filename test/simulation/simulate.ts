import { accept } from '../../src/ledger/acceptor.ts';
import { auditSecrets } from './auditor/secrets.ts';
import type { Violation } from './auditor/case-file.ts';
import type { Feature } from './features.ts';
import { phaseOne } from './phase-one.ts';
import { DAY, setScene } from './scene.ts';
import { settle } from './settling.ts';
import { stageOf } from './stage.ts';

/** What one seed came to. */
export interface Outcome {
  readonly seed: number;
  readonly devices: number;
  readonly days: number;
  readonly processes: number;
  readonly kills: number;
  readonly attempts: number;
  readonly records: number;
  /** Appends that somebody else was faster than. */
  readonly lost: number;
  /** How often each kind of fault struck. */
  readonly faults: Readonly<Record<string, number>>;
  readonly features: readonly Feature[];
  readonly violations: readonly Violation[];
  /** Digest of everything that happened, in order: the same seed has the same. */
  readonly digest: string;
}

/** Lives through the world of a seed; `trace` hears every line of what happens. */
export async function simulate(seed: number, trace?: (line: string) => void): Promise<Outcome> {
  const scene = setScene(seed);
  const stage = stageOf(scene, trace);
  const { clock, ledger, brief } = scene;
  const { file } = stage.auditor;
  await clock.run(phaseOne(stage));
  await clock.run(settle(stage));
  for (const { rule, subject, seq } of accept(ledger.records).violations)
    file.violate(rule, `the acceptor refuses record ${seq}: ${subject}`);
  auditSecrets(file, stage);
  return {
    seed,
    devices: brief.devices.length,
    days: (clock.now() - brief.start) / DAY,
    processes: stage.ends.length,
    kills: stage.ends.filter(({ end }) => end.is === 'died').length,
    attempts: file.attempts.size,
    records: ledger.records.length,
    lost: stage.lost.count,
    faults: Object.fromEntries(scene.struck),
    features: [...scene.has],
    violations: file.violations,
    digest: stage.digest(),
  };
}
