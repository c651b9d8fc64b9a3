import type { DroppedClass } from '../../model/plan/plan.ts';
import { counted } from '../words/phrase.ts';
import { type HtmlText } from '../sinks/sinks.ts';
import { htmlText, markup } from '../sinks/html-sink.ts';
import type { PlanView } from '../view/view.ts';
import { CAUSE_WORDS, TASK_WORDS } from '../words/terms.ts';
import { reasonWords } from '../words/reasons.ts';
import { named, numberHtml, placed, writtenBy } from './said.ts';

/** How many classes are listed; the plan as JSON has all of them. */
const LISTED = 40;

/** How many changed lines and commits of a class are named. */
const LINES_NAMED = 6;
const COMMITS_NAMED = 3;

/**
 * Changes of the base that these documents no longer request: by task and policy, with their line
 * in the base.
 */
export function removedChangesHtml({ base, originsOf }: PlanView): HtmlText {
  if (!base || base.gone.length === 0) return markup``;
  const { gone, ref, commit } = base;
  const total = gone.reduce((sum, { count }) => sum + count, 0);
  const rest = gone.slice(LISTED).reduce((sum, { count }) => sum + count, 0);
  const more =
    rest > 0
      ? markup`<tr><td class="n">${numberHtml(rest)}</td><td colspan="5">of other policies</td></tr>`
      : markup``;
  return markup`<section aria-labelledby="gone-title">
<h2 id="gone-title">Removed from the plan <span class="number">${numberHtml(total)}</span></h2>
<p class="about">${named(ref)} <code>${htmlText(commit.slice(0, 12))}</code> has these changes; these documents do not.
The table of all changes does not list them.</p>
<div class="wide" role="region" aria-label="Changes removed from the plan" tabindex="0"><table class="gone">
<thead><tr><th scope="col" class="n">Devices</th><th scope="col">Task</th><th scope="col">Policy</th>
<th scope="col">Reason at the base</th><th scope="col">Reason now</th>
<th scope="col">Which</th></tr></thead>
<tbody>${gone.slice(0, LISTED).map((each) => removedChangeRow(each, originsOf))}${more}</tbody>
</table></div>
</section>`;
}

function removedChangeRow(
  { task, at, cause, reason, lines = [], count, devices }: DroppedClass,
  originsOf: PlanView['originsOf'],
): HtmlText {
  const left = count - devices.length;
  const names = devices.map(
    ({ id, name }, n) => markup`${n > 0 ? markup`, ` : markup``}${named(name ?? id)}`,
  );
  const changed = lines.slice(0, LINES_NAMED).map((place) => markup`${placed(place)} `);
  const authors = originsOf({ places: [], lines })
    .slice(0, COMMITS_NAMED)
    .map((origin) => markup`<div>${writtenBy(origin)}</div>`);
  const why = htmlText(reasonWords(reason, { sink: (text) => text }).summary);
  const others = left > 0 ? markup` and ${htmlText(counted(left, 'other device'))}` : markup``;
  return markup`<tr><td class="n">${numberHtml(count)}</td><th scope="row">${htmlText(TASK_WORDS[task])}</th>
<td>${named(at.policy)} ${placed(at)}</td><td>${htmlText(CAUSE_WORDS[cause])}</td>
<td>${why}<div>${changed}</div>${authors}</td><td>${names}${others}</td></tr>
`;
}
