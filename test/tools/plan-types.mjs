// The types of the parts of a plan, made from its schema (`src/model/plan/plan.gen.ts`): what a saved plan, a page and JSON
// have is said there once. A part whose type says more than its schema (a reason has instants, a change a policy) is
// written by hand, and is only named here.
import { readFile } from 'node:fs/promises';
import { definitionIn, schemaTypes } from './schema-types.mjs';

/** What each definition is called. */
const NAMES = {
  values: 'Values',
  device: 'DeviceLabel',
  window: 'WindowRef',
  noteClass: 'NoteClass',
  wave: 'PlanWave',
  undated: 'UndatedChanges',
  dates: 'PlanDates',
  hours: 'PlanHours',
  windowHours: 'WindowHours',
  frozen: 'FrozenDates',
  verdict: 'GuardrailVerdict',
  partIds: 'FleetPart',
  part: 'PlanPart',
  counts: 'Counts',
  inputs: 'PlanInputs',
  group: 'ChangeGroup',
  base: 'PlanBase',
  scope: 'PlanScope',
  goneClass: 'DroppedClass',
  pause: 'PauseNote',
  coverage: 'Coverage',
  passed: 'Passed',
  change: 'ChangeParts',
};

/** Definitions that hand-written types, or simple ones, stand for. */
const OWN = {
  instant: 'string',
  spans: 'readonly HoursSpan[]',
  task: 'TaskType',
  at: 'At',
  place: 'SourceLocation',
  params: 'Params',
  reason: 'Reason',
  diagnostic: 'Diagnostic',
};

/** The members of a plan that its file alone has, or whose types are written by hand. */
const BY_HAND = ['changes', 'origins', 'authors', 'count', 'digest', 'outcome', 'policies'];

/** The text of `src/model/plan/plan.gen.ts`. */
export async function planTypes(root) {
  const text = await readFile(new URL('schemas/plan.schema.json', root), 'utf8');
  const { $defs, ...plan } = JSON.parse(text);
  const declared = schemaTypes(named);
  const parts = Object.entries(NAMES).map(([name, type]) => declared(type, $defs[name]));
  const { code, why } = $defs.reason.properties;
  const codes = [declared('ReasonCode', code), declared('ReasonWhy', why)];
  const members = Object.entries(plan.properties).filter(([name]) => !BY_HAND.includes(name));
  const whole = { ...plan, properties: Object.fromEntries(members) };
  return `// Generated from schemas/plan.schema.json by test/tools/generate.mjs. Do not edit.
import type { Diagnostic } from '../documents/diagnostic.ts';
import type { At, SourceLocation } from '../documents/source.ts';
import type { TaskType } from '../fleet/task.ts';
import type { Params } from '../error.ts';
import type { Reason } from './reason.ts';

${[...parts, ...codes, declared('HoursSpan', $defs.spans.items), declared('PlanParts', whole)].join('\n')}`;
}

/** The type of a reference. */
function named(reference) {
  const name = definitionIn(reference);
  if (!OWN[name] && !NAMES[name]) throw new Error(`plan.schema.json: no type for ${name}`);
  return OWN[name] ?? NAMES[name];
}
