import { REPORT_FIELDS } from './report-fields.gen.ts';
import { MEASURES, type Measure, type ReportName } from './fleet-report.ts';

/** A field of a row: its name in csv and json. `docs/report.md` and the schema say what it means. */
export interface ReportField {
  readonly name: string;
  readonly type: 'text' | 'number' | 'boolean' | 'instant' | 'list';
}

export function stateField(measure: Measure): string {
  return `${measure}State`;
}

/** The measures that a report totals: those whose state its rows have; the overview has all. */
export function measuresOf(name: ReportName): readonly Measure[] {
  if (name === 'overview') return MEASURES;
  const fields = new Set<string>(REPORT_FIELDS[name].map((field) => field.name));
  return MEASURES.filter((measure) => fields.has(stateField(measure)));
}
