import type { TaskType } from '../fleet/task.ts';

/** Why a plan has no forecast. */
export const FORECAST_GAPS = ['tooLarge', 'tooSlow', 'part', 'failed'] as const;

/** One policy in the forecast of a plan; counts are the medians of the courses. */
export interface ForecastRow {
  readonly policy: string;
  readonly task: TaskType;
  /** Devices with work in the time of the rehearsal. */
  readonly devices: number;
  readonly done: number;
  /** Ended badly: failed, rolled back, aborted, unverified. */
  readonly failed: number;
  /** Left at the end, and only time is missing. */
  readonly late: number;
  /** Left at the end, and a person has to act: offline, held, in doubt. */
  readonly blocked: number;
  /** When the last device is done in half of the courses; absent where that many do not get there. */
  readonly p50?: string;
  readonly p95?: string;
}

/** What a rehearsal of the whole fleet expects of the documents of a plan, or why there is none. */
export type PlanForecast =
  | {
      readonly is: 'rehearsed';
      readonly until: string;
      readonly courses: number;
      readonly devices: number;
      /** Work was planned as if it were approved; absent where no plan needs an approval. */
      readonly assumesApproval?: true;
      readonly policies: readonly ForecastRow[];
      /** How many policies are not listed; absent: none. */
      readonly more?: number;
    }
  | {
      readonly is: 'leftOut';
      readonly why: (typeof FORECAST_GAPS)[number];
      /** Devices of a fleet that is `tooLarge`, or seconds of a rehearsal that is `tooSlow`. */
      readonly limit?: number;
    };
