import * as fc from 'fast-check';

/** What no output may hold that came from data: controls, bidi, zero width, separators, lone surrogates. */
export const FORBIDDEN =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u{ad}\u{61c}\u{180e}\u{feff}\u{e0000}-\u{e0fff}]|[\u{200b}-\u{200f}]|[\u{202a}-\u{202e}]|[\u{2060}-\u{206f}]/u;

const PAYLOADS = [
  '\u001b[2J\u001b[H',
  '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007',
  '\u001b]52;c;ZXZpbA==\u0007',
  '\u009b1A\u009b2K',
  '\r+ approved by admin\r\n',
  '\u202egnp.exe\u202c',
  '\u2066\u2069\u200d\u200b\ufeff',
  '::error file=a.yaml::all is well',
  '##[group]',
  '=HYPERLINK("http://evil.example","x")',
  '@SUM(1)',
  '"; rm -rf / #',
  '\ud83d',
  '\u{e0041}\u{e0042}',
  '👩‍👩‍👧‍👦',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!',
  '東京カメラ',
  '{key} [x||y]',
  '$& $1 $`',
  '\\u{1b}',
  '](https://evil.example) [x](https://evil.example)',
  '![i](https://evil.example/x.png)',
  '<img src=x onerror=alert(1)>',
  '<!-- fleetform plan -->',
  '-->',
  '@everyone',
  'see #1 and GH-1',
  'https://evil.example',
  '```\n# approved',
  '`',
  '`` ` ``',
  '| approved | yes |',
  'a\\|b',
  '\\',
  '&lt;b&gt; &#124;',
  '</details><details open>',
  '# approved',
  '[^1]: note',
  '%0A::error::x',
  'click "x" call alert()',
  "'); DROP TABLE--",
  '</script><script>alert(1)</script>',
];

/** Names as a hostile device would choose them: every payload, then pairs around harmless parts, always the same. */
export function hostileNames(count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const one = PAYLOADS[n % PAYLOADS.length] ?? '';
    const other = PAYLOADS[Math.floor(n / PAYLOADS.length) % PAYLOADS.length] ?? '';
    if (n < PAYLOADS.length) return one;
    return n % 2 === 0 ? `cam-${n}${one}${other}` : `${other} cam-${n} ${one}`;
  });
}

/**
 * Texts of any characters, halves of a pair among them. The library's own (`unit: 'binary'`) makes a table of all
 * characters first, which takes a second.
 */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc
    .array(fc.nat(0x10_ff_ff), { maxLength })
    .map((points) => String.fromCodePoint(...points));
}
