/** The command lines of the demo, without `fleetform`. */
export const DEMO_STEPS: readonly (readonly string[])[] = [
  ['plan', '-o', 'plan.json'],
  ['apply', 'plan.json', '--yes'],
  ['plan'],
];

export const DEMO_INTRO = 'A simulated service: 1,000 devices on 12 sites. Nothing real changes.';

export function demoHeading(args: readonly string[]): string {
  return `\n$ fleetform ${args.join(' ')}`;
}

/** The end of a demo in which every step ended as expected. */
export function demoDone(seconds: number): string {
  return `\nDone in ${seconds} s.\nnext: README.md, "Your fleet in 20 minutes"`;
}

export function demoFailed(args: readonly string[], code: number | string): string {
  return `\n\`fleetform ${args.join(' ')}\` ended with ${code}; the demo stops here.`;
}
