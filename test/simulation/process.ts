import { createClient } from '../../src/api/client.ts';
import { execute, type Survey } from '../../src/apply/run/execute.ts';
import { judge } from '../../src/guard/guard.ts';
import { compileSelector } from '../../src/desired/select.ts';
import { readLiveFleet } from '../../src/live/read-fleet.ts';
import { resolveDialect, type Dialect } from '../../src/model/fleet/dialect.ts';
import { WorldError } from '../../src/model/error.ts';
import type { RunReport } from '../../src/model/ledger/run-report.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import type {
  HttpAnswer,
  Journal,
  LedgerStore,
  Service,
  Transport,
} from '../../src/model/ports.ts';
import type { Documents } from '../../src/model/documents/policy.ts';
import type { Snapshot } from '../../src/model/fleet/snapshot.ts';
import { knownDevices } from '../../src/plan/known-devices.ts';
import { plan, type PlannerInput } from '../../src/plan/plan.ts';
import { needs } from '../support/needs.ts';
import { openJournal } from '../../src/store/journal.ts';
import { chanceOf } from './chance.ts';
import { CLIENT_SECRETS } from '../support/canary.ts';
import { payloadSecrets } from '../support/canary-run.ts';
import { inputsOf } from '../support/rehearsal-inputs.ts';
import type { AppendWeather, Appended, Ledger } from './ledger.ts';
import { createLife, type Fate, type Life } from './life.ts';
import type { Clock } from '../../src/model/ports.ts';
import type { Fields } from './wishes.ts';
import { bodyBytes, isSuccess } from '../../src/model/http.ts';
import { parseAnswerJson } from '../../src/api/decode/parse-json.ts';

/** Hears what a process does to the world, as it happens. */
export interface Witness {
  /** A request is about to be handed to the wire. */
  asked(process: number, request: Asked): void;
  /** Its answer has reached the process, and is no refusal. */
  answered(process: number, request: Asked): void;
  appended(process: number, types: string, outcome: Appended): void;
  looked(process: number): void;
  planned(process: number, plan: Plan, from: PlannedFrom): void;
}

/** What a plan was made from, as the process had it then. */
export type PlannedFrom = Pick<PlannerInput, 'documents' | 'snapshot' | 'memory' | 'now'>;

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  /** When the process decided to send it: by the world's clock, and by its own two. */
  readonly at: number;
  readonly wall: number;
  /** Rows of the answer that its filter does not mean. */
  readonly strays?: number;
}

/** What one process of apply is started with. */
export interface Orders {
  readonly id: number;
  readonly seed: number;
  readonly host: string;
  readonly documents: Documents;
  readonly fate: Fate;
  readonly approved?: Plan;
  readonly waitMs: number;
  readonly takeOver: boolean;
  /** It stays for what may start so much later, and watches for evidence about doubts for so long. */
  readonly stayMs: number;
  readonly watchMs: number;
  readonly leaseTtl: number;
  readonly pollEvery: number;
  readonly requestsPerSecond: number;
}

/** Where a process lives. */
export interface Surroundings {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly weather: AppendWeather;
  readonly wire: Transport;
  readonly witness: Witness;
  readonly isAlive: (id: number) => boolean;
  /** Hears every request, where this world keeps a trace. */
  readonly trace?: (line: string) => void;
}

/** `refused`: the world ended it before it had anything to report. */
export type End =
  | { readonly is: 'died' }
  | { readonly is: 'refused'; readonly why: string }
  | { readonly is: 'reported'; readonly report: RunReport };

export const CREDENTIALS = { clientId: 'a', clientSecret: CLIENT_SECRETS.admin };
const FINGERPRINT = 'f'.repeat(64);

/** One process of apply, from its start to its end or its death. */
export async function runProcess(orders: Orders, around: Surroundings): Promise<End> {
  const life = createLife(around.clock, orders.fate);
  const run = apply(orders, around, life).then(
    (report): End => ({ is: 'reported', report }),
    (error: unknown): End => {
      if (error instanceof WorldError) return { is: 'refused', why: error.code };
      throw error;
    },
  );
  return Promise.race([run, life.died.then((): End => ({ is: 'died' }))]);
}

async function apply(orders: Orders, around: Surroundings, life: Life): Promise<RunReport> {
  const { documents, id, seed, host, approved, leaseTtl } = orders;
  const random = chanceOf(seed, `process ${id}`).next;
  const service = serviceOf(orders, around, life);
  const journal = await openJournal({
    store: storeOf(orders, around, life),
    clock: life.clock,
    random,
    fingerprint: FINGERPRINT,
    tool: '0.0.0',
    leaseTtl,
    host,
    pid: id,
    processStartedAt: String(id),
    isAlive: around.isAlive,
  });
  const { waitMs, takeOver } = orders;
  await journal.take({ waitMs, takeOver, label: `process ${id}` });
  return execute({
    documents,
    survey: async (_approved, lists) => {
      const made = await survey({ documents, service, journal, life, patient: true, lists });
      around.witness.planned(id, made.plan, made.from);
      return made;
    },
    service,
    journal,
    clock: life.clock,
    random,
    dialect: dialectOf(documents),
    pollEvery: orders.pollEvery,
    wait: orders.stayMs,
    watchDoubts: orders.watchMs,
    onProgress: () => life.watched(),
    stop: life.stop,
    ...(approved && { approved }),
  });
}

/** A plan made outside of any run, by a process that does nothing else and never dies. */
export async function planOnly(orders: Orders, around: Surroundings): Promise<Plan> {
  const life = createLife(around.clock, orders.fate);
  const service = serviceOf(orders, around, life);
  const { host, id, leaseTtl, documents } = orders;
  const journal = await openJournal({
    store: storeOf(orders, around, life),
    clock: life.clock,
    random: chanceOf(orders.seed, `plan ${id}`).next,
    fingerprint: FINGERPRINT,
    tool: '0.0.0',
    leaseTtl,
    host,
    pid: id,
    processStartedAt: String(id),
    isAlive: around.isAlive,
  });
  return (await survey({ documents, service, journal, life, patient: false })).plan;
}

function serviceOf(orders: Orders, around: Surroundings, life: Life): Service {
  const { id, seed, requestsPerSecond, documents } = orders;
  const { wire, witness } = around;
  const transport: Transport = async (request) => {
    const { pathname, search } = new URL(request.url);
    const { method } = request;
    const isTask = method === 'POST' && pathname === '/v1/tasks';
    const { body = '' } = isTask ? request : {};
    const [at, wall] = [around.clock.now(), life.clock.now()];
    const asked: Asked = { method, path: pathname, query: search, body, at, wall };
    return life.perform(`${method} ${pathname}`, async () => {
      witness.asked(id, asked);
      const answer = await wire(request);
      if (isSuccess(answer)) witness.answered(id, { ...asked, strays: straysIn(answer, search) });
      return answer;
    });
  };
  return createClient({
    transport,
    clock: life.clock,
    random: chanceOf(seed, `client ${id}`).next,
    baseUrl: 'https://twin.test',
    organization: 'acme',
    credentials: () => Promise.resolve(CREDENTIALS),
    dialect: dialectOf(documents),
    pace: { requestsPerSecond, tokenRequestsPerMinute: 60 },
    secrets: payloadSecrets,
    ...traceOf(orders, around, life),
    onRetry: () => life.watched(),
  });
}

/** The trace of a world that keeps one, and of a process whose trace fails. */
function traceOf(
  { fate }: Orders,
  { trace }: Surroundings,
  life: Life,
): { readonly trace?: (line: string) => void } {
  if (trace === undefined && fate.unwatched === undefined) return {};
  return {
    trace: (line) => {
      trace?.(line);
      life.watched();
    },
  };
}

/** A filter may be ignored: rows of devices that it does not mean, as far as the answer can be read. */
function straysIn(answer: HttpAnswer, query: string): number {
  const [, field = '', wanted] = FILTER.exec(query) ?? [];
  if (wanted === undefined) return 0;
  const parsed = parseAnswerJson(bodyBytes(answer));
  const body = 'problem' in parsed ? {} : parsed.value;
  const lists = Object.values(body as object).filter((value) => Array.isArray(value));
  const belongs = (row: Fields): boolean => row[field] === (field === 'status' ? wanted : true);
  return (lists[0] ?? []).filter((row: Fields) => !belongs(row)).length;
}

/** The filters of the lists of what is down. */
export const FILTER = /\b(status|maintenanceMode)=(\w+)/;

/** Both in one request: whether they are honoured at all, which shows nothing of who is down. */
export const TRIAL = /\bstatus=\w+&maintenanceMode=/;

function storeOf(orders: Orders, around: Surroundings, life: Life): LedgerStore {
  const { ledger, weather, clock, witness } = around;
  const { id } = orders;
  return {
    place: 'memory',
    probe: () => life.perform('probe', async () => undefined),
    read: (afterSeq) =>
      life.perform('read', async () => {
        witness.looked(id);
        return { records: ledger.readAfter(afterSeq), head: ledger.head };
      }),
    append: (records, onHead) => {
      const types = records.map(({ body }) => body.type).join(' ');
      return life.perform(`append ${records.at(-1)?.body.type ?? ''}`, async () => {
        await clock.sleep(weather.delayMs());
        const trouble = weather.trouble();
        const lands = trouble === undefined || trouble.endsWith('Landed');
        const answer = lands ? ledger.append(records, onHead) : 'lost';
        const outcome =
          trouble === undefined ? answer : trouble.startsWith('fails') ? 'failed' : 'unknown';
        witness.appended(id, types, outcome);
        if (outcome === 'failed') throw new WorldError('storeFailed', { cause: 'ENOSPC' });
        return outcome;
      });
    },
  };
}

interface Reading {
  readonly documents: Documents;
  readonly service: Service;
  readonly journal: Journal;
  readonly life: Life;
  /** As `apply` is, and `plan` is not. */
  readonly patient: boolean;
  readonly lists?: Snapshot | undefined;
}

type Surveyed = Survey & { readonly from: PlannedFrom };

async function survey(reading: Reading): Promise<Surveyed> {
  const { documents, service, journal, life, patient, lists } = reading;
  const { clock } = life;
  const { memory } = journal;
  const inputFor = (rows: Snapshot): PlannerInput => ({
    documents,
    snapshot: rows,
    memory,
    now: clock.now(),
    dialect: dialectOf(documents),
    expiresAfter: 7 * 86_400_000,
    inputs: INPUTS,
  });
  const snapshot = await readLiveFleet({
    service,
    clock,
    random: () => 0.5,
    onProgress: () => life.watched(),
    onboards: documents.onboarding.size > 0,
    known: knownDevices(documents, memory),
    patient,
    lists,
    needs: (rows) => needs(inputFor(rows)),
  });
  const input = inputFor(snapshot);
  const made = plan(input);
  const verdicts = judge({
    documents,
    snapshot,
    memory,
    now: input.now,
    changes: made.plan.changes,
    members: (selector) => compileSelector(selector, { documents, snapshot }),
  });
  return { ...made, plan: { ...made.plan, verdicts }, snapshot, from: input };
}

function dialectOf({ service }: Documents): Dialect {
  return resolveDialect(service.value.dialect);
}

/** Nobody keeps these plans in files: what they were made from is for the witness to say. */
const INPUTS = inputsOf({ confidence: 'one page', devices: [] }, { seq: 0, hash: '' });
