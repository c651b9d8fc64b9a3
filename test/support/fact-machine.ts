import { readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { resolveDialect, type Dialect } from '../../src/model/fleet/dialect.ts';
import type { Service } from '../../src/model/ports.ts';
import type { Memory } from '../../src/model/ledger/memory.ts';
import { createStopSignal } from '../../src/shell/stop-signal.ts';
import type { ReadingLimits } from '../../src/operations/facts/reading-limits.ts';
import { survey, type SurveyParts } from '../../src/operations/survey.ts';
import {
  aDevice,
  aMemory,
  aRotationPolicy,
  A_ROLLOUT,
  entries,
  NOW,
  someDocuments,
  sourced,
} from './plan-fleet.ts';
import { listing } from './plan-service.ts';
import { scratchFolder } from './scratch.ts';
import { createVirtualClock } from './virtual-clock.ts';

const DAY = 86_400_000;
/** The fingerprint of the fleet. */
export const TENANT = 'f'.repeat(64);

/** Cameras that changed their passwords so many days ago, by id. */
export type Ages = Readonly<Record<string, number>>;

/** A machine with its own facts, in front of a fleet; the same folder is the same machine. */
export class Machine {
  readonly clock = createVirtualClock(NOW);
  readonly said: string[] = [];
  reads: string[] = [];
  dialect: Partial<Dialect> = {};
  memory: Memory = aMemory();
  version = '11.8.61';
  /** Since when an incident asks for each password that is older. */
  since: number | undefined;
  readonly folder = scratchFolder('facts');
  readonly #ages: Ages;

  constructor(ages: Ages) {
    this.#ages = ages;
  }

  get file(): string {
    return join(this.folder, '.fleetform', TENANT.slice(0, 12), 'facts.jsonl');
  }

  get lines(): readonly string[] {
    return readFileSync(this.file, 'utf8').split('\n').slice(1, -1);
  }

  /** Replaces what is stored, below the first line unless it is given too. */
  store(...lines: readonly string[]): void {
    mkdirSync(join(this.file, '..'), { recursive: true });
    writeFileSync(this.file, lines.join('\n'));
  }

  readonly stop = createStopSignal();
  onRead = (): void => undefined;

  get parts(): SurveyParts {
    const { value, ...service } = someDocuments().service;
    const devices = Object.keys(this.#ages).map((id) =>
      aDevice(id, { firmwareVersion: this.version }),
    );
    const client: Partial<Service> = {
      ...listing([{ devices }]),
      passwords: (id) => {
        this.reads.push(id);
        this.onRead();
        const changedAt = NOW - (this.#ages[id] ?? 0) * DAY;
        return Promise.resolve({ changedAt, marker: `changed ${changedAt}` });
      },
    };
    const policy = aRotationPolicy('passwords', {
      due: { is: 'maxAge', maxAge: 180 * DAY, headStart: 0, spread: 0 },
      select: { device: ['*'] },
    });
    return {
      documents: someDocuments({
        service: { ...service, value },
        rollouts: entries({ default: A_ROLLOUT }),
        ...(this.since !== undefined && { incidents: anIncident(this.since) }),
        rotations: new Map([['passwords', sourced('passwords', policy)]]),
      }),
      client,
      dialect: resolveDialect(this.dialect),
      target: { baseUrl: value.baseUrl, organization: 'acme', fingerprint: TENANT },
      shell: {
        stop: this.stop,
        clock: this.clock,
        random: () => 0.5,
        cwd: this.folder,
        env: {},
        err: { write: (text: string) => this.said.push(text), columns: 80 },
      },
      expiresAfter: DAY,
      onProgress: () => undefined,
    } as unknown as SurveyParts;
  }

  /** Plans as a command that only reads does; returns what it read and what it decided. */
  async plan(limits: ReadingLimits = {}) {
    this.reads = [];
    const { plan, snapshot } = await survey({ ...this.parts, limits }, this.memory);
    const { id, notes, counts, warnings } = plan;
    const changes = [...plan.changes];
    return {
      reads: this.reads.toSorted(),
      id,
      notes,
      counts,
      warnings,
      changes,
      snapshot,
      inputs: plan.inputs,
    };
  }
}

/** An incident for the passwords of all devices. */
function anIncident(since: number) {
  const terms = { reason: '', owner: '', ticket: '' };
  const incident = { name: 'leak', since, until: NOW + DAY, expect: 3, ...terms };
  const policy = { ...aRotationPolicy('leak', { select: { device: ['*'] } }), incident };
  return new Map([['leak', sourced('leak', policy)]]);
}
