import type { RunReport } from '../../src/model/ledger/run-report.ts';
import type { Clock } from '../../src/model/ports.ts';
import type { ProgressEvent } from '../../src/model/progress.ts';
import type { ChangeEnded, RunEvent } from '../../src/model/report/output.gen.ts';
import { RunEvents } from '../../src/shell/run-events.ts';

/** Receivers of the events of one run: one that takes each, one that takes none before the end, one that throws. */
export function hearRun(clock: Clock): {
  readonly onProgress: (event: ProgressEvent) => void;
  /** How what they heard differs from the report; empty where it does not. */
  end(report: RunReport): Promise<readonly string[]>;
} {
  let release = (): void => undefined;
  const blocked = new Promise<void>((resolve) => (release = resolve));
  const heard: Record<string, RunEvent[]> = { taking: [], blocked: [], throwing: [] };
  const streams = Object.entries(heard).map(([name, events]) => {
    const receive = async (event: RunEvent): Promise<void> => {
      if (name === 'blocked') await blocked;
      events.push(event);
      if (name === 'throwing') throw new Error('a receiver');
    };
    return new RunEvents(receive, clock, 'apply');
  });
  for (const stream of streams) stream.start('acme', undefined);
  return {
    onProgress: (event) => streams.forEach((stream) => stream.take(event)),
    async end(report) {
      for (const stream of streams) stream.settle(report, 'next');
      release();
      await Promise.all(streams.map((stream) => stream.end(0)));
      return Object.entries(heard).flatMap(([name, events]) =>
        unlikeReport(report, events).map((what) => `events, ${name}: ${what}`),
      );
    },
  };
}

/** How what the events say of each change, folded, differs from the report. */
function unlikeReport(report: RunReport, events: readonly RunEvent[]): readonly string[] {
  const folded = new Map<string, ChangeEnded>();
  for (const event of events) if (event.type === 'change.ended') folded.set(event.change, event);
  const { endings, closedBeside = [], leftOpen = [] } = report;
  const reported = [
    ...endings.map(({ change, ...rest }) => ({ id: change.id, policy: change.policy, ...rest })),
    ...[...closedBeside, ...leftOpen].map(({ task, device, ...rest }) => {
      return { id: `${task}/${device}`, ...rest };
    }),
  ];
  const isWhole = events.every(({ seq }, index) => seq === index + 1);
  const ends = `${events[0]?.type} ${events.at(-1)?.type}`;
  return [
    ...reported.flatMap(({ id, policy, outcome, ...rest }) => {
      const told = folded.get(id);
      folded.delete(id);
      const isOnly = 'resultOnly' in rest ? rest.resultOnly === true : undefined;
      const evidence = isOnly === undefined ? told?.evidence : isOnly ? 'resultOnly' : 'device';
      const wanted = outcome === 'verified' ? evidence : undefined;
      const isTold = told?.outcome === outcome && told.policy === policy;
      return isTold && told.evidence === wanted
        ? []
        : [`${id} is ${outcome}, not ${told?.outcome}`];
    }),
    ...[...folded.keys()].map((id) => `${id} is in no report`),
    ...(isWhole ? [] : ['a gap']),
    ...(ends === 'run.started run.ended' ? [] : [`from ${ends}`]),
  ];
}
