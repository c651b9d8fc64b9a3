import { parseAnswerJson } from '../../api/decode/parse-json.ts';
import { createProbes, type Probes } from '../../api/probes.ts';
import { rereadAnswers, type KeptAnswer } from '../../api/reread.ts';
import { retryAfter, serviceDate } from '../../api/retry-after.ts';
import { assembleCheckup } from '../../doctor/checkup.ts';
import { examine, MOST_REQUESTS, type Examined } from '../../doctor/examine.ts';
import { settleDialect } from '../../doctor/settle.ts';
import type { Exchange, ProbeRequest, ProbeAnswer, Probing } from '../../doctor/probing.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { Checkup, Check } from '../../model/report/checkup.ts';
import { type Shell, fleetFolder } from '../../shell/shell.ts';
import { openLine, type ConnectFlags, type ServiceLink, type Settings } from '../connect.ts';
import type { ServiceTarget } from '../target.ts';
import { LEDGER_DEFAULTS } from '../../model/ledger/ground.ts';
import { dirname } from 'node:path';
import { check } from '../../doctor/failure-check.ts';
import type { LedgerSettings } from '../../model/documents/policy.ts';
import { WorldError } from '../../model/error.ts';
import { bodyBytes, isSuccess } from '../../model/http.ts';
import type { HttpAnswer } from '../../model/ports.ts';
import { localLedger } from '../simulator.ts';
import { seeHeads } from '../../git/ledger-remote.ts';

export interface DoctorOptions extends ConnectFlags {
  /** A finished task whose steps to read. */
  readonly task?: string;
}

export interface ExaminedService {
  readonly target: ServiceTarget;
  readonly checkup: Checkup;
}

/**
 * Examines the service of the documents against the dialect table, with GET and the POST for a
 * token alone. Whatever the service answers is a finding; throws only what prevents a first request,
 * as `connect` does, and when the person stops it.
 */
export async function examineService(
  shell: Shell,
  settings: Settings,
  options: DoctorOptions,
): Promise<ExaminedService> {
  const line = await openLine(shell, settings, { ...options, isLedgerless: true });
  const { target, dialect } = line;
  const startedAt = shell.clock.monotonic();
  const driver = createDriver(shell, line, settings);
  try {
    const { organization } = target;
    const { task } = options;
    const settled = await settleDialect(dialect, {
      examine: (tried) => driver.run(examine({ dialect: tried, organization, task })),
      reread: (tried) => rereadAnswers(driver.answers, tried),
    });
    const tookMs = shell.clock.monotonic() - startedAt;
    const { dialect: written } = settings;
    const { exchanges } = driver;
    const at = shell.clock.now();
    const parts = { settled, exchanges, written, dialect, at, tookMs };
    return { target, checkup: assembleCheckup(parts) };
  } finally {
    await line.close();
  }
}

interface Driver {
  readonly exchanges: readonly Exchange[];
  /** What was read so far, as it came. */
  readonly answers: readonly KeptAnswer[];
  run(probing: Probing<Examined>): Promise<Examined>;
}

/**
 * Sends what an examination yields, one request after the other, and repeats what may pass. A request
 * that was answered before is not sent again.
 */
function createDriver(shell: Shell, line: ServiceLink, { pace }: Settings): Driver {
  const { clock } = shell;
  const signal = shell.stop.draining;
  const probes = createProbes({
    transport: line.transport,
    clock,
    baseUrl: line.target.baseUrl,
    credentials: line.credentials,
    pace,
    secrets: (name) => shell.env[name],
    trace: line.trace,
    signal,
  });
  const exchanges: Exchange[] = [];
  const answers: KeptAnswer[] = [];
  const known = new Map<string, ProbeAnswer>();
  let token = '';
  const sendOnce = async (probe: SentProbe): Promise<Sent> => {
    const sentAt = clock.now();
    const sent = await caught(send(probes, probe, token));
    signal.throwIfAborted();
    exchanges.push(toExchange(probe.path, sent, { sentAt, answeredAt: clock.now() }));
    const { length: rows } = exchanges;
    line.onProgress({
      type: 'phase',
      name: 'reading',
      what: 'answers',
      rows,
      total: MOST_REQUESTS,
    });
    return sent;
  };
  const answer = async (probe: ProbeRequest): Promise<ProbeAnswer> => {
    if (probe.kind === 'bear') {
      ({ token } = probe);
      probes.learn(token);
      return NONE;
    }
    const key = JSON.stringify(probe);
    const before = known.get(key);
    if (before) return before;
    for (let tried = 1; ; tried += 1) {
      if (exchanges.length >= MOST_REQUESTS) return SPENT;
      const sent = await sendOnce(probe);
      const wait = delayBefore(tried, sent, clock.now());
      if (wait === undefined) {
        const read = readAnswer(sent);
        if (probe.kind === 'read' && !(sent instanceof WorldError) && isSuccess(sent))
          answers.push({ path: probe.path, answer: sent });
        known.set(key, read);
        return read;
      }
      const status = sent instanceof WorldError ? {} : { status: sent.status };
      const until = clock.now() + wait;
      line.onProgress({
        type: 'waiting',
        reason: 'retrying',
        tried,
        most: MOST_TRIES,
        until,
        ...status,
      });
      await clock.sleep(wait, signal);
    }
  };
  return {
    exchanges,
    answers,
    run: async (probing) => {
      let step = probing.next();
      while (!step.done) step = probing.next(await answer(step.value));
      return step.value;
    },
  };
}

type SentProbe = Exclude<ProbeRequest, { kind: 'bear' }>;
type Sent = HttpAnswer | WorldError;

const NONE: ProbeAnswer = { status: 0, value: undefined, text: '', contentType: '' };
const SPENT: ProbeAnswer = {
  ...NONE,
  failure: { code: 'stopped', params: { most: MOST_REQUESTS } },
};

function send(probes: Probes, probe: SentProbe, token: string): Promise<HttpAnswer> {
  return probe.kind === 'token'
    ? probes.requestToken(probe.path, probe.body)
    : probes.read(probe.path, probe.query, token);
}

async function caught(answer: Promise<HttpAnswer>): Promise<Sent> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof WorldError && error.code !== 'secretMissing') return error;
    throw error;
  }
}

const MOST_TRIES = 3;
const PASSING = [408, 429, 500, 502, 503, 504];
const LONGEST_WAIT_MS = 60_000;

/** How long to wait before the same request again; undefined if its answer counts. */
function delayBefore(tried: number, sent: Sent, now: Instant): Milliseconds | undefined {
  const isTooMany = !(sent instanceof WorldError) && sent.status === 429;
  const most = isTooMany ? MOST_TRIES : 2;
  if (tried >= most) return undefined;
  if (sent instanceof WorldError)
    return sent.retry === 'safe' && !isFinal(sent) ? 2_000 : undefined;
  if (!PASSING.includes(sent.status)) return undefined;
  const wait = retryAfter(sent, now) ?? (isTooMany ? 10_000 : 2_000);
  return Math.min(wait, LONGEST_WAIT_MS);
}

/** A wrong name or certificate stays wrong. */
function isFinal({ code }: WorldError): boolean {
  return ['tlsFailed', 'proxyRefused', 'tooLarge', 'unreachable'].includes(code);
}

/** A page of a proxy may be long, and nothing of it is shown. */
const MOST_TEXT = 8_192;

function readAnswer(sent: Sent): ProbeAnswer {
  if (sent instanceof WorldError)
    return { ...NONE, failure: { code: sent.code, params: sent.params } };
  const bytes = bodyBytes(sent);
  const parsed = parseAnswerJson(bytes);
  return {
    status: sent.status,
    value: 'problem' in parsed ? undefined : parsed.value,
    text: bytes.subarray(0, MOST_TEXT).toString(),
    contentType: sent.headers['content-type'] ?? '',
  };
}

function toExchange(
  path: string,
  sent: Sent,
  times: Pick<Exchange, 'sentAt' | 'answeredAt'>,
): Exchange {
  if (sent instanceof WorldError) return { path, status: 0, ...times };
  const date = serviceDate(sent);
  const delay = sent.headers['retry-after'];
  const encoding = sent.headers['content-encoding'];
  return {
    path,
    status: sent.status,
    ...times,
    ...(date !== undefined && { date }),
    ...(delay !== undefined && { retryAfter: delay }),
    ...(encoding !== undefined && { encoding }),
  };
}

/**
 * What `doctor` can see of the heads that a remote keeps beside a ledger (protocol M12): whether their branch is
 * there, and moves with that of the ledger. None for a ledger that is not in git.
 */
export async function checkHeads(
  shell: Shell,
  ledger: LedgerSettings | undefined,
  { fleet, service = '' }: Pick<ConnectFlags, 'fleet' | 'service'>,
): Promise<readonly Check[]> {
  if (ledger?.store !== 'git') return [];
  const place = localLedger(shell.cwd, service);
  if (place !== undefined) return [check('heads', 'note', 'ledgerLocal', { place })];
  const { remote = LEDGER_DEFAULTS.remote, branch = LEDGER_DEFAULTS.branch } = ledger;
  const folder = dirname(fleetFolder(shell, fleet));
  try {
    const seen = await seeHeads({ folder, env: shell.env, remote, branch });
    return [check('heads', seen === 'kept' ? 'good' : 'note', CODES[seen], { branch })];
  } catch (error) {
    if (!(error instanceof WorldError)) throw error;
    const { cause = error.params['why'] ?? '' } = error.params;
    return [check('heads', 'unknown', 'headsUnseen', { branch, cause })];
  }
}

const CODES = { kept: 'headsKept', missing: 'headsMissing', notAtomic: 'headsNotAtomic' } as const;
