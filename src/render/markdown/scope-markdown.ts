import type { PlanBase } from '../../model/plan/plan.ts';
import { mark, markdown, type MarkdownText } from '../sinks/sinks.ts';
import { fill, grouped, type Phrase } from '../words/phrase.ts';
import {
  IN_SCOPE,
  inScopeParams,
  OUT_OF_SCOPE,
  scopeFindings,
  type ScopeFinding,
} from '../words/review/scope-words.ts';
import { cutTo, own } from './source-lines.ts';

/** How many findings a comment lists; the JSON of the plan has all of them. */
const LISTED = 8;

/** Whether a request keeps to the scope that its commits name, and what is outside. */
export function scopeMarkdown(base: PlanBase | undefined): readonly MarkdownText[] {
  if (!base?.scope) return [];
  if (base.scope.passed) {
    const said = fill(IN_SCOPE, inScopeParams(base.scope), shortly) as MarkdownText;
    return [mark`**Scope:** ${said}.`, own('')];
  }
  const findings = scopeFindings(base.scope);
  const more = findings.length - LISTED;
  return [
    own('> [!CAUTION]'),
    own(`> ${OUT_OF_SCOPE}`),
    ...findings.slice(0, LISTED).map(findingLine),
    ...(more > 0 ? [own(`> - and ${grouped(more)} more`)] : []),
    own(''),
  ];
}

function findingLine({ said, way, params }: ScopeFinding): MarkdownText {
  const filled = (phrase: Phrase): MarkdownText => fill(phrase, params, shortly) as MarkdownText;
  return mark`> - ${filled(said)}. **Next:** ${filled(way)}.`;
}

function shortly(text: string): MarkdownText {
  return markdown(cutTo(text, 160));
}
