/** What names stand for; what is not in it is refused, unless a context says that anything may be missing. */
export type Context = Readonly<Record<string, unknown>>;

/** Functions that expressions of ours call. */
export type Functions = Readonly<Record<string, (...args: readonly string[]) => boolean | string>>;

/** What an expression is worked out with. */
export interface Scope {
  readonly names: Context;
  /** Contexts whose unknown names are empty, as GitHub has them: secrets, variables, outputs. */
  readonly open: readonly string[];
  readonly functions: Functions;
}

type Value = string | boolean | number | null;

const TOKEN = /\s*(&&|\|\||==|!=|!|\(|\)|,|'(?:[^']|'')*'|[A-Za-z_][\w.-]*|\d+)/y;

/** A text with its `${{ }}` worked out. Throws at an expression that is not known here. */
export function fillIn(text: string, scope: Scope): string {
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_, inner: string) =>
    String(valueOf(inner, scope) ?? ''),
  );
}

/** The `if:` of a job or step: with or without `${{ }}` around the whole of it. */
export function holds(text: string, scope: Scope): boolean {
  const inner = /^\s*\$\{\{(.*)\}\}\s*$/s.exec(text)?.[1] ?? text;
  if (inner.includes('${{')) throw new Error(`an if that is only partly an expression: ${text}`);
  return isTrue(valueOf(inner, scope));
}

/** Works out one expression: names, texts, `==`, `!=`, `!`, `&&`, `||`, brackets and calls; nothing else. */
export function valueOf(text: string, scope: Scope): Value {
  const tokens = tokensOf(text);
  let at = 0;
  const take = (wanted?: string): string => {
    const token = tokens[at];
    if (token === undefined || (wanted !== undefined && token !== wanted))
      throw new Error(`expected ${wanted ?? 'more'} in ${text}`);
    at += 1;
    return token;
  };
  const either = (): Value => {
    let left = both();
    while (tokens[at] === '||') {
      take();
      const right = both();
      left = isTrue(left) ? left : right;
    }
    return left;
  };
  const both = (): Value => {
    let left = same();
    while (tokens[at] === '&&') {
      take();
      const right = same();
      left = isTrue(left) ? right : left;
    }
    return left;
  };
  const same = (): Value => {
    const left = one();
    if (tokens[at] !== '==' && tokens[at] !== '!=') return left;
    const isWanted = take() === '==';
    return isEqual(left, one()) === isWanted;
  };
  const one = (): Value => {
    const token = take();
    if (token === '!') return !isTrue(one());
    if (token === '(') {
      const value = either();
      take(')');
      return value;
    }
    if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
    if (/^\d+$/.test(token)) return Number(token);
    return tokens[at] === '(' ? call(token) : named(token, scope);
  };
  const call = (name: string): Value => {
    const made = scope.functions[name];
    if (!made) throw new Error(`no function ${name} is known here: ${text}`);
    take('(');
    const args: string[] = [];
    while (tokens[at] !== ')') {
      args.push(String(either()));
      if (tokens[at] === ',') take();
    }
    take(')');
    return made(...args);
  };
  const value = either();
  if (at < tokens.length) throw new Error(`what is ${tokens[at]} in ${text}`);
  return value;
}

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  const end = text.trimEnd().length;
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < end;) {
    const from = TOKEN.lastIndex;
    const [, token] = TOKEN.exec(text) ?? [];
    if (token === undefined) throw new Error(`not understood from letter ${from}: ${text}`);
    tokens.push(token);
  }
  return tokens;
}

function named(path: string, { names, open }: Scope): Value {
  if (path === 'true' || path === 'false') return path === 'true';
  const parts = path.split('.');
  let value: unknown = names;
  for (const part of parts) {
    if (value !== null && typeof value === 'object' && Object.hasOwn(value, part))
      value = (value as Context)[part];
    else if (open.includes(parts[0] ?? '')) return '';
    else throw new Error(`nothing is known as ${path}`);
  }
  if (value !== null && typeof value === 'object') throw new Error(`${path} is no single value`);
  return (value ?? null) as Value;
}

/** Texts are the same in capitals and in small letters, as GitHub has it. */
function isEqual(a: Value, b: Value): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') return a === b;
  return a.toLowerCase() === b.toLowerCase();
}

function isTrue(value: Value): boolean {
  return value !== '' && value !== false && value !== null && value !== 0;
}
