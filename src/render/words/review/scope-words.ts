import type { Params } from '../../../model/error.ts';
import type { JudgedTrailer, PlanScope, ScopeProblem } from '../../../model/plan/scope.ts';
import { grouped, type Phrase, findWord } from '../phrase.ts';
import type { Sentences } from '../terms.ts';

export const OUT_OF_SCOPE = 'This request exceeds the scope that its commits name.';

/** How to write a trailer, in one line. */
const FORM = 'separate policies, `site NAME`, `device NAME` and `at most N devices` by commas';

const AMEND = 'then amend the commit';

const WORDS: Readonly<Record<ScopeProblem['code'], Pick<Sentences, 'said' | 'way'>>> = {
  malformed: {
    said: 'Commit {commit}: cannot read {trailer}: {cause}',
    way: `${FORM}, ${AMEND}`,
  },
  unknown: {
    said: 'Commit {commit}: the {what} {value} in {trailer} [is the name of several devices: {ids}||matches nothing]',
    way: `[write {suggestion} if you mean that||name a policy of the documents, or a site or device of the fleet], ${AMEND}`,
  },
  nothing: {
    said: 'Commit {commit}: {trailer} matches no change that this request causes',
    way: 'check whether the documents select what they should; otherwise correct or remove the trailer, then amend the commit',
  },
  overLimit: {
    said: 'Commit {commit}: {devices|device changes|devices change} within {trailer}; its limit is {limit#}',
    way: 'select fewer devices, or raise the limit of the trailer and amend the commit',
  },
  noHistory: {
    said: 'Commit {commit}: cannot check {trailer}: this clone has no common commit with {base}',
    way: 'fetch the full history, then plan again',
  },
};

const MALFORMED: Readonly<Record<string, string>> = {
  empty: 'an item is empty',
  item: 'it is not a policy, a site, a device or a limit',
  quote: 'a quote is not closed',
  tooLong: 'it has more than 1,000 characters',
  tooMany: 'a request may have at most 100 different trailers',
  twice: 'it has a second limit',
};

const OUTSIDE: Phrase =
  '{changes|change|changes} on {devices|device|devices} outside the scope: {policies}[, such as {device}]';

const NARROW: Phrase =
  'narrow the documents, or write {trailer}[ with {others|more policy|more policies}] in a commit of this request if the changes are intended';

/** Every way in which a request does not keep to its scope; what is outside comes first. */
export function scopeFindings({ outside, trailers }: PlanScope): readonly Sentences[] {
  const wide = outside.changes > 0 ? [outsideFinding(outside)] : [];
  return [...wide, ...trailers.flatMap(trailerFindings)];
}

function outsideFinding({ changes, devices, classes }: PlanScope['outside']): Sentences {
  const named = classes.slice(0, NAMED).map(({ policy, count }) => `${policy} ${grouped(count)}`);
  const more = classes.length - named.length;
  const policies = [...named, ...(more > 0 ? [`${grouped(more)} more`] : [])].join(', ');
  const all = [...new Set(classes.map(({ policy }) => policy))];
  const addresses = all.slice(0, NAMED);
  const others = all.length - addresses.length;
  const [first] = classes[0]?.devices ?? [];
  const device = first && (first.name ?? first.id);
  const trailer = `Scope: ${addresses.map(quoted).join(', ')}`;
  const rest = { ...(device && { device }), ...(others > 0 && { others }) };
  const params = { changes, devices, policies, trailer, ...rest };
  return { said: OUTSIDE, way: NARROW, params };
}

/** How many policies are named. */
const NAMED = 3;

function quoted(address: string): string {
  return /[\s,]/.test(address) ? `"${address}"` : address;
}

function trailerFindings({ commit, text, problems }: JudgedTrailer): readonly Sentences[] {
  const trailer = scopeText(text);
  return problems.map(({ code, params }) => {
    const { said, way } = findWord(WORDS, code) ?? WORDS.malformed;
    const cause = malformedText(params);
    return { said, way, params: { ...params, commit: commit.slice(0, 12), trailer, cause } };
  });
}

function malformedText({ why = '', item = '' }: Params): string {
  const words = findWord(MALFORMED, String(why)) ?? String(why);
  return why === 'item' || why === 'twice' ? `${shortened(String(item))}: ${words}` : words;
}

/** `Scope: firmware.axis-*, site HQ*`, cut to a length that fits a line. */
function scopeText(text: string): string {
  return `Scope: ${shortened(text)}`;
}

const MOST = 120;

function shortened(text: string): string {
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
}

/** The scope that a request keeps to: `{scope}` is each trailer. */
export const IN_SCOPE: Phrase =
  '{changes|change|changes} on {devices|device|devices} caused by this request, all within {scope}';

export function inScopeParams({ trailers, changes, devices }: PlanScope): Params {
  const [first, ...others] = trailers;
  const more = others.length > 0 ? ` (and ${grouped(others.length)} more)` : '';
  return { changes, devices, scope: `${scopeText(first?.text ?? '')}${more}` };
}
