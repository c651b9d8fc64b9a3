import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Input {
  readonly description: string;
  readonly default: string;
}

export interface CompositeStep {
  readonly name?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly shell?: string;
  readonly 'working-directory'?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
}

/** An action of the repository itself: steps that a job plays in its place. */
export interface Composite {
  readonly name: string;
  readonly description: string;
  readonly inputs: Readonly<Record<string, Input>>;
  readonly runs: { readonly using: 'composite'; readonly steps: readonly CompositeStep[] };
}

/** Reads the action that a step names; throws where it is none of this form. */
export function readComposite(github: string, uses: string): Composite {
  const [, path] = /^\.\/\.github\/(actions\/[\w-]+)$/.exec(uses) ?? [];
  if (path === undefined) throw new Error(`${uses} is not played here`);
  const action = parse(readFileSync(join(github, path, 'action.yml'), 'utf8')) as Composite;
  if (action.runs.using !== 'composite') throw new Error(`${uses} is not played here`);
  return action;
}

/** The inputs of an action, with those that a step gives it; throws at one that it does not have. */
export function inputsOf(
  { inputs, name }: Composite,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const strange = Object.keys(given).filter((input) => !(input in inputs));
  if (strange.length > 0) throw new Error(`${name} has no input ${strange.join(', ')}`);
  const defaults = Object.entries(inputs).map(([key, input]) => [key, input.default] as const);
  return { ...Object.fromEntries(defaults), ...given };
}
