/** An instruction of a Dockerfile, with its continued lines joined. */
interface Instruction {
  readonly name: string;
  readonly rest: string;
}

type Rule = (instructions: readonly Instruction[], text: string) => boolean;

const of = (instructions: readonly Instruction[], name: string): readonly string[] =>
  instructions.filter((each) => each.name === name).map(({ rest }) => rest);

/** Whether any RUN has a command that does not have what it should. */
const runs = (pattern: RegExp, needed?: RegExp): Rule => {
  return (instructions) =>
    of(instructions, 'RUN')
      .flatMap((rest) => rest.split(/&&|;/))
      .some((command) => pattern.test(command) && needed?.test(command) !== true);
};

/** By the numbers that hadolint has for them; true where a Dockerfile does not keep the rule. */
const RULES: Readonly<Record<string, Rule>> = {
  'DL3000 WORKDIR is absolute': (all) => of(all, 'WORKDIR').some((path) => !path.startsWith('/')),
  'DL3002 the last user is not root': (all) => /^(?:root|0)\b/.test(of(all, 'USER').at(-1) ?? '0'),
  'DL3003 WORKDIR instead of cd': runs(/(?:^|\s)cd\s/),
  'DL3004 no sudo': runs(/(?:^|\s)sudo\s/),
  'DL3007 no tag latest': (all) =>
    of(all, 'FROM').some(
      (image) => /:latest\b/.test(image) || !/[:@]/.test(image.split(' ')[0] ?? ''),
    ),
  'DL3009 lists of apt are removed where they are fetched': (all) =>
    of(all, 'RUN').some(
      (rest) => /apt-get update/.test(rest) && !/rm -rf \/var\/lib\/apt\/lists/.test(rest),
    ),
  'DL3014 apt-get asks nothing': runs(/apt-get install/, /\s-y\b/),
  'DL3015 only what is named is installed': runs(/apt-get install/, /--no-install-recommends/),
  'DL3020 COPY instead of ADD': (all) => of(all, 'ADD').length > 0,
  'DL3025 programs are named as a list': (all) =>
    [...of(all, 'CMD'), ...of(all, 'ENTRYPOINT')].some((rest) => !rest.startsWith('[')),
  'DL3027 apt-get instead of apt': runs(/(?:^|\s)apt\s/),
  'DL3059 no RUN after another': (all) =>
    all.some(({ name }, n) => name === 'RUN' && all[n + 1]?.name === 'RUN'),
  'DL4000 no MAINTAINER': (all) => of(all, 'MAINTAINER').length > 0,
  'DL4004 one ENTRYPOINT': (all) => of(all, 'ENTRYPOINT').length > 1,
  'DL4006 no pipe hides a failure': runs(/[^|]\|[^|]/),
  'no secret in a layer': (all) =>
    [...of(all, 'ENV'), ...of(all, 'ARG')].some((rest) => /SECRET|TOKEN|PASSWORD/i.test(rest)),
  'an ignored rule has its reason above it': (_, text) =>
    /(?:^|\n)(?!#)[^\n]*\n# hadolint ignore/.test(text),
};

/** The names of all rules. */
export const DOCKERFILE_RULES: readonly string[] = Object.keys(RULES);

/** The rules that a Dockerfile does not keep, by name. */
export function dockerfileFindings(text: string): readonly string[] {
  const instructions = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .flatMap((line) => {
      const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
      return name === '' ? [] : [{ name, rest }];
    });
  return DOCKERFILE_RULES.filter((name) => RULES[name]?.(instructions, text));
}
