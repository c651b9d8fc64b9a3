import type { Condition, TaskResult } from '../world/state.ts';

/** The operations of the service, by their names in the contract. */
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

/** When a fault happens: all given conditions must match; without any, always. */
export interface FaultMatch {
  readonly endpoint?: Operation;
  readonly method?: string;
  /** `*` matches one segment, a final `**` all that follow. */
  readonly path?: string;
  /** Part of the query, such as `offset=100`. */
  readonly query?: string;
  readonly taskType?: string;
  readonly deviceId?: string;
  /** From the nth match on, counted from 1; without `times`, only that match. */
  readonly nth?: number;
  readonly times?: number;
  /** Only this share of the matches, from 0 to 1, chosen by the seed. */
  readonly share?: number;
  /**
   * Milliseconds since the start of the twin, on its own clock: from here, and until the next
   * field.
   */
  readonly fromMs?: number;
  readonly untilMs?: number;
}

/** An answer that replaces the service's own. `effect`: the service has done the work anyway. */
export interface ReplacedAnswer {
  readonly type: 'answer';
  readonly status: number;
  /** JSON; or `text` verbatim; or `base64` for binary content. */
  readonly body?: unknown;
  readonly text?: string;
  readonly base64?: string;
  /** Pads the body with spaces up to this many bytes. */
  readonly padTo?: number;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly effect?: boolean;
}

/** A fault of the connection, or an answer in place of the service's. */
type LineFault =
  | ReplacedAnswer
  | { readonly type: 'latency'; readonly ms: number }
  | { readonly type: '429'; readonly retryAfter?: number | string }
  | { readonly type: '401' | '500' | 'html' | 'truncated' | 'lostAnswer' | 'lostRequest' };

/** A wrong answer of the service itself, or an additional effect. */
type ServiceFault =
  /** The work starts after `ms`; the answer comes now, or never. */
  | { readonly type: 'lateExecution'; readonly ms: number; readonly answer: 'now' | 'lost' }
  /** Creates two service tasks for one request. */
  | { readonly type: 'acceptedTwice' }
  /** The answer names a task of another user. */
  | { readonly type: 'foreignTask' }
  /** The state as it was this many changes ago. */
  | { readonly type: 'stale'; readonly versions: number }
  /** A page with this many rows more or fewer than requested. */
  | { readonly type: 'page'; readonly by: number }
  /** A `total` that is wrong by this number. */
  | { readonly type: 'total'; readonly by: number }
  | { readonly type: 'filterIgnored' }
  /** Rows are dropped, repeated or foreign; `total` follows unless it is kept. */
  | {
      readonly type: 'rows';
      readonly change: 'drop' | 'repeat' | 'foreign';
      readonly count: number;
      readonly keepTotal?: boolean;
    }
  /** Another value in a field of each row, or of the answer itself if it has no rows. */
  | { readonly type: 'word'; readonly field: string; readonly value: unknown }
  /** The list changes before this request, at its front, which shifts every later page. */
  | {
      readonly type: 'churn';
      readonly change: 'insert' | 'delete' | 'reorder';
      readonly list: 'devices' | 'discovered';
      readonly rows: number;
    }
  /** Another user edits a device in the console. */
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
 * A fault of a device task. A liar reports success and does nothing; with `effect`, the work is
 * done and a failure is reported.
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
