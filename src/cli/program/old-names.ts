/** A command line in the words of this version. */
export interface Renamed {
  /** The words that were written. */
  readonly old: string;
  /** What a person writes now, without the flags that are the same. */
  readonly write: string;
  readonly argv: readonly string[];
}

type Rest = readonly string[];

/** The names of earlier versions and what takes their place. They work until the first major version; no help lists them. */
const OLD_NAMES: Readonly<Record<string, (rest: Rest) => Omit<Renamed, 'old'>>> = {
  resume: (rest) =>
    rest.some(
      (text, index) =>
        /^--(?:reason|ticket|by)(?:=|$)/.test(text) ||
        (!text.startsWith('-') && !takesValue(rest[index - 1])),
    )
      ? { write: 'unpause', argv: ['unpause', ...rest] }
      : { write: 'recover', argv: ['recover', ...rest] },
  who: (rest) => ({ write: 'why', argv: ['why', ...rest] }),
  demo: (rest) => ({ write: 'twin --demo', argv: ['twin', '--demo', ...rest] }),
  'ci comment': (rest) => ({ write: 'ci publish --plan', argv: ['ci', 'publish', ...rest] }),
  'ci outcome': (rest) => ({ write: 'ci publish --run', argv: [...TO, 'request', ...rest] }),
  // The result of drift had the flag of a plan.
  'ci issue': (rest) =>
    rest.some((text) => /^--run(?:=|$)/.test(text))
      ? { write: 'ci publish --run', argv: [...TO, 'issue', ...rest] }
      : {
          write: 'ci publish --drift',
          argv: ['ci', 'publish', ...rest.map((text) => text.replace(/^--plan(?==|$)/, '--drift'))],
        },
  'ci snapshot': (rest) => ({
    write: 'ci plan --find-snapshot',
    argv: ['ci', 'plan', '--find-snapshot', ...rest],
  }),
};

/** What a command line with a name of an earlier version is now; undefined for any other. */
export function findRenamed(argv: Rest): Renamed | undefined {
  const start = argv.findIndex((text) => !text.startsWith('-') && text !== 'help');
  for (const words of start < 0 ? [] : [2, 1]) {
    const old = argv.slice(start, start + words).join(' ');
    if (!Object.hasOwn(OLD_NAMES, old)) continue;
    const found = OLD_NAMES[old]?.(argv.slice(start + words));
    return found && { ...found, old, argv: [...argv.slice(0, start), ...found.argv] };
  }
  return undefined;
}

const TO = ['ci', 'publish', '--to'];

/** Whether a word is a flag of `resume` with its value behind it. */
function takesValue(text: string | undefined): boolean {
  return text !== undefined && /^--(?!take-over$|quiet$|no-color$|help$)[^=]+$/.test(text);
}
