import { listAndCount } from '../../lib/text-order.ts';
import type { Change, DeviceLabel } from '../../model/plan/change.ts';
import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { IncidentPolicy } from '../../model/documents/policy.ts';
import { locateValue, type Sourced } from '../../model/documents/source.ts';
import { formatInstant, formatDuration, type Instant } from '../../lib/time.ts';
import { rolloutOrDefault } from '../../model/documents/rollout-defaults.ts';
import { findColumn, isChanging } from '../../model/plan/actor.ts';
import type { Evaluation } from '../decide/decision-input.ts';
import type { PlannerInput } from '../input.ts';
import type { Runner } from '../forecast/course.ts';
import type { Forecast } from '../forecast/forecast.ts';

type Incidents = readonly Sourced<IncidentPolicy>[];
type Input = PlannerInput & { readonly foretold: Pick<Forecast, 'runners' | 'atWorst'> };

/** The findings of a plan about its incidents. */
export interface IncidentFindings {
  readonly observe: (evaluation: Evaluation) => void;
  readonly findings: (changes: Iterable<Change>, input: Input) => readonly Diagnostic[];
}

/** The devices of an incident, and how many of them are done. */
interface Tally {
  selected: number;
  done: number;
}

/**
 * Creates the findings about the incidents of a plan: one that begins in the future is an error, one that
 * expects far more devices than it selects and one that is done are warnings; any other says when
 * it will be done (semantics N55, N61, N62).
 */
export function createIncidentFindings({ documents, now }: PlannerInput): IncidentFindings {
  const incidents: Incidents = [...documents.incidents.values()];
  const tallies = new Map(
    incidents.map(({ name }): [string, Tally] => [name, { selected: 0, done: 0 }]),
  );
  return {
    observe({ judgement, policy: { value }, case: { leftBy } }) {
      const incident = value.section === 'rotations' ? (value.incident ?? leftBy) : undefined;
      const tally = incident && tallies.get(incident.name);
      if (!tally) return;
      tally.selected += 1;
      const isOpen =
        judgement.is === 'due'
          ? judgement.why === 'incident' || judgement.why === 'incidentEnded'
          : judgement.is === 'unsupported';
      if (!isOpen) tally.done += 1;
    },
    findings: (changes, input) =>
      incidents.flatMap((entry) => {
        const tally = tallies.get(entry.name);
        if (!tally) return [];
        return entry.value.incident.since > now
          ? [tooEarly(entry)]
          : [
              ...generous(entry, tally),
              ...finished(entry, tally),
              ...expected(entry, changes, input),
            ];
      }),
  };
}

function tooEarly(entry: Sourced<IncidentPolicy>): Diagnostic {
  const params = { incident: entry.name, since: formatInstant(entry.value.incident.since) };
  return { code: 'incidentAhead', severity: 'error', at: locateValue(entry, '/since'), params };
}

/** More than a tenth above what is selected: a later device would not be noticed. */
function generous(entry: Sourced<IncidentPolicy>, { selected }: Tally): readonly Diagnostic[] {
  const { expect } = entry.value.incident;
  if (selected === 0 || expect * 10 <= selected * 11) return [];
  const params = { incident: entry.name, expect, count: selected };
  const at = locateValue(entry, '/expect');
  return [{ code: 'incidentExpectsMore', severity: 'warning', at, params }];
}

function finished(
  entry: Sourced<IncidentPolicy>,
  { selected, done }: Tally,
): readonly Diagnostic[] {
  if (selected === 0 || done < selected) return [];
  const params = { incident: entry.name, count: selected };
  return [{ code: 'incidentDone', severity: 'warning', at: entry.at, params }];
}

/**
 * When an incident will be done, by the forecast of the plan (semantics N62): the devices that it reaches, if tasks take
 * as long as they usually do and all the time that they may, and what it does not reach. Nothing where it reaches none.
 */
function expected(
  entry: Sourced<IncidentPolicy>,
  changes: Iterable<Change>,
  { documents, foretold }: Input,
): readonly Diagnostic[] {
  const { address, incident, task, rollout } = entry.value;
  const isMine = ({ policy }: Change): boolean => policy === address;
  const left = [...changes].filter((change) => isMine(change) && isChanging(findColumn(change)));
  const ends = endsIn(foretold.runners, address);
  if (ends.length === 0) return [];
  const offline = left
    .filter(({ reason }) => reason.code === 'offline')
    .map(({ device }) => device);
  const waiting = left.filter(
    ({ reason }) =>
      (reason.code === 'budgetExhausted' && reason.next === 'never') ||
      reason.why === 'downAlready',
  ).length;
  const blocked = left.length - ends.length - offline.length - waiting;
  const late = ends.filter((end) => end > incident.until).length;
  const more = offline.length - NAMED;
  const { running } = rolloutOrDefault(documents.rollouts, rollout).timeouts;
  const params = {
    incident: entry.name,
    count: ends.length,
    left: left.length,
    end: formatInstant(Math.max(...ends)),
    to: formatInstant(Math.max(...endsIn(foretold.atWorst(), address))),
    running: formatDuration(running[task]),
    ...(offline.length > 0 && { offline: offline.length, devices: nameSome(offline) }),
    ...(more > 0 && { policy: address }),
    ...(waiting > 0 && { waiting }),
    ...(blocked > 0 && { blocked }),
    ...(late > 0 && { late, until: formatInstant(incident.until) }),
  };
  return [{ code: 'incidentForecast', severity: 'warning', at: entry.at, params }];
}

function endsIn(runners: readonly Runner[], address: string): readonly Instant[] {
  return runners.flatMap(({ like, endedAt }) =>
    like.policy === address && endedAt !== undefined ? [endedAt] : [],
  );
}

/** How many offline devices are named; the others are counted. */
const NAMED = 3;

/** `door-1 (dev-7), door-2 (dev-8), 12 more`. */
function nameSome(devices: readonly DeviceLabel[]): string {
  const nameOf = ({ id, name = id }: DeviceLabel) => (name === id ? id : `${name} (${id})`);
  return listAndCount(devices.map(nameOf), NAMED);
}
