import type { Condition, TaskResult } from '../world/state.ts';

/** The operations of the service, by the names that its contract gives them. */
export type Operation =
  | 'createToken'
  | 'listDevices'
  | 'getDevice'
  | 'listVulnerabilities'
  | 'listPasswords'
  | 'listCertificates'
  | 'listTargetFirmware'
  | 'listFirmwarePaths'
  | 'listSites'
  | 'getSite'
  | 'listDeviceSources'
  | 'getDeviceSource'
  | 'listDiscoveredDevices'
  | 'createTask'
  | 'getTask';

/** When a fault happens. Everything given must hold; nothing given: always. */
export interface FaultMatch {
  readonly endpoint?: Operation;
  readonly method?: string;
  /** `*` stands for one segment, `**` at the end for all that follow. */
  readonly path?: string;
  /** Part of the query, such as `offset=100`. */
  readonly query?: string;
  readonly taskType?: string;
  readonly deviceId?: string;
  /** From the nth match on, counted from 1; without `times`, that one only. */
  readonly nth?: number;
  /** At most so often. */
  readonly times?: number;
  /** Only this share of the matches, from 0 to 1, by the seed. */
  readonly share?: number;
  /** Milliseconds since the twin began, on its own clock: from then on, and until before then. */
  readonly fromMs?: number;
  readonly untilMs?: number;
}

/** What stands in for the service. `effect`: it has done the work all the same. */
export interface ReplacedAnswer {
  readonly type: 'answer';
  readonly status: number;
  /** JSON; or `text` to the letter; or `base64` for bytes that are no text. */
  readonly body?: unknown;
  readonly text?: string;
  readonly base64?: string;
  /** Spaces behind the body up to so many bytes. */
  readonly padTo?: number;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly effect?: boolean;
}

/** What happens to the connection or in the service's place. */
export type LineFault =
  | ReplacedAnswer
  | { readonly type: 'latency'; readonly ms: number }
  | { readonly type: '429'; readonly retryAfter?: number | string }
  | { readonly type: '401' | '500' | 'html' | 'truncated' | 'lostAnswer' | 'lostRequest' };

/** How the service's own answer is untrue, or what it does beside what was asked. */
export type ServiceFault =
  /** The work begins only so much later; the answer comes now, or never. */
  | { readonly type: 'lateExecution'; readonly ms: number; readonly answer: 'now' | 'lost' }
  /** Two service tasks for one request. */
  | { readonly type: 'acceptedTwice' }
  /** The answer names a task of somebody else. */
  | { readonly type: 'foreignTask' }
  /** As it was so many changes ago. */
  | { readonly type: 'stale'; readonly versions: number }
  /** A page with so many rows more or fewer than asked. */
  | { readonly type: 'page'; readonly by: number }
  /** A `total` that is off by so much. */
  | { readonly type: 'total'; readonly by: number }
  | { readonly type: 'filterIgnored' }
  /** Rows go missing, come twice, or belong to nobody; `total` goes with them unless it is kept. */
  | {
      readonly type: 'rows';
      readonly change: 'drop' | 'repeat' | 'foreign';
      readonly count: number;
      readonly keepTotal?: boolean;
    }
  /** Another value in a field of each row, or of the answer itself where it has no rows. */
  | { readonly type: 'word'; readonly field: string; readonly value: unknown }
  /** The list changes before this request: at its front, where it shifts every page behind. */
  | {
      readonly type: 'churn';
      readonly change: 'insert' | 'delete' | 'reorder';
      readonly list: 'devices' | 'discovered';
      readonly rows: number;
    }
  /** Somebody works on a device in the console. */
  | { readonly type: 'outsider'; readonly deviceId: string; readonly set: ExternalEdit };

export interface ExternalEdit {
  readonly name?: string;
  readonly firmwareVersion?: string;
  readonly condition?: Condition;
  readonly maintenance?: boolean;
  /** A new password, or a new certificate. */
  readonly password?: boolean;
  readonly certificate?: boolean;
}

export type RequestFault = LineFault | ServiceFault;

/**
 * What happens to a device task. A liar reports success and does nothing; with `effect`, a failure
 * is reported and the work is done.
 */
export type TaskFault =
  | {
      readonly type: 'failingDevice';
      readonly result: Exclude<TaskResult, 'succeeded'>;
      readonly effect?: boolean;
    }
  | { readonly type: 'unknownTask'; readonly ms: number }
  | { readonly type: 'stuckTask' | 'vanishedTask' | 'liar' };

export type Fault = RequestFault | TaskFault;

export interface FaultRule {
  readonly match: FaultMatch;
  readonly fault: Fault;
}
