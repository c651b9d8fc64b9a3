import type { JsonObject } from '../../lib/canonical.ts';
import type { RunReport } from '../../model/ledger/run-report.ts';
import { stepAfter } from '../outputs/run.ts';
import { slack } from '../sinks/sinks.ts';
import { EXIT_WORDS } from '../words/commands.ts';
import { CONDITION_WORDS, WHY_WORDS } from '../words/condition-words.ts';
import { OUTCOME_WORDS } from '../words/outcomes.ts';
import {
  conditionsOf,
  failedIn,
  fitted,
  shortText,
  type NotifiedRun,
} from './notification-json.ts';

/** Slack takes so many characters in a section, and in a heading. */
const SECTION = 3_000;

/** What is named of a condition, or of devices. */
const NAMED = 10;

/**
 * A run as the body of an incoming webhook of Slack: what needs attention, the devices that it failed on, and the next step.
 * What comes from the service or the documents stays text.
 */
export function slackText(run: NotifiedRun, report: RunReport | undefined): string {
  return fitted((most) => slackJson(run, report, Math.min(most, NAMED)));
}

function slackJson(run: NotifiedRun, report: RunReport | undefined, most: number): JsonObject {
  const { organization, service, conditions: told, exit, by, command = 'apply', error } = run;
  const title = `fleetform, ${code(organization)} at ${code(service)}: ${told ? WHY_WORDS[told.why] : 'run'}`;
  const conditions = told ? conditionsOf(told, most) : [];
  const devices = failedIn(report).slice(0, most);
  const next = report
    ? stepAfter(report, run, (text) => slack(shortText(text)))
    : (EXIT_WORDS[exit]?.next ?? '');
  const sections = [
    [
      `*${title}*`,
      ...conditions.map(({ condition, state, subjects }) => {
        const names = error !== undefined && subjects.length === 0 ? [error] : subjects;
        const about = names.length === 0 ? '' : `: ${names.map(code).join(', ')}`;
        return `• ${CONDITION_WORDS[condition]}${state === 'ended' ? ': no longer' : about}`;
      }),
    ],
    devices.map(({ change: { device, policy }, outcome }) => {
      const name = code(device.name ?? device.id);
      return `• ${name} (${code(policy)}): ${OUTCOME_WORDS[outcome].says}`;
    }),
    [...(next === '' ? [] : [`Next: ${next}`]), `Exit code ${exit}, ${code(command)}, ${code(by)}`],
  ];
  const blocks = sections.filter((lines) => lines.length > 0).map(section);
  return { text: title, blocks };
}

/** A text that is not ours: nothing in it is a format. */
const code = (text: string): string => `\`${slack(shortText(text))}\``;

/** As many whole lines as a section takes. */
function section(lines: readonly string[]): JsonObject {
  let text = '';
  for (const line of lines) if (text.length + line.length < SECTION) text += `${line}\n`;
  return { type: 'section', text: { type: 'mrkdwn', text: text.trimEnd(), verbatim: true } };
}
