import type { Change, DeviceLabel } from '../../model/plan/change.ts';
import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { IncidentPolicy } from '../../model/documents/policy.ts';
import { locateValue, type Sourced } from '../../model/documents/source.ts';
import { formatInstant, formatDuration } from '../../lib/time.ts';
import type { BudgetInput } from '../../rollout/budgets/budget-tracker.ts';
import type { Evaluation } from '../decide/decision-input.ts';
import type { PlannerInput } from '../input.ts';
import { forecastIncident } from './incident-forecast.ts';

type Incidents = readonly Sourced<IncidentPolicy>[];
type Input = PlannerInput & Pick<BudgetInput, 'members'>;

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

function expected(
  entry: Sourced<IncidentPolicy>,
  changes: Iterable<Change>,
  input: Input,
): readonly Diagnostic[] {
  const forecast = forecastIncident(entry.value, changes, input);
  if (!forecast) return [];
  const { reachable, left, offline, waiting, blocked, end, worst, running, late } = forecast;
  const more = offline.length - NAMED;
  const params = {
    incident: entry.name,
    count: reachable,
    left,
    end: formatInstant(end),
    to: formatInstant(worst),
    running: formatDuration(running),
    ...(offline.length > 0 && { offline: offline.length, devices: nameSome(offline) }),
    ...(more > 0 && { policy: entry.value.address }),
    ...(waiting > 0 && { waiting }),
    ...(blocked > 0 && { blocked }),
    ...(late > 0 && { late, until: formatInstant(entry.value.incident.until) }),
  };
  return [{ code: 'incidentForecast', severity: 'warning', at: entry.at, params }];
}

/** How many offline devices are named; the others are counted. */
const NAMED = 3;

/** `door-1 (dev-7), door-2 (dev-8), 12 more`. */
function nameSome(devices: readonly DeviceLabel[]): string {
  const named = devices
    .slice(0, NAMED)
    .map(({ id, name }) => (name === undefined || name === id ? id : `${name} (${id})`));
  const more = devices.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
