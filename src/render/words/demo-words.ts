/** One step of the demo: what it shows, and the command line without `fleetform`. */
interface DemoStep {
  readonly title: string;
  readonly args: readonly string[];
}

export const DEMO_STEPS: readonly DemoStep[] = [
  { title: 'Check the documents.', args: ['validate'] },
  {
    title: 'Show what would change and why, and save the plan.',
    args: ['plan', '-o', 'plan.json'],
  },
  { title: 'Show the saved plan, as a reviewer reads it.', args: ['show', 'plan.json'] },
  { title: 'Apply the plan and verify every device.', args: ['apply', 'plan.json', '--yes'] },
  { title: 'Plan again: nothing is left to do.', args: ['plan', '--detailed-exitcode'] },
];

export function demoIntro(folder: string, url: string): string {
  return `Example documents are in ${folder}. A simulated service with 1,000 devices runs at ${url}.`;
}

export function demoHeading({ title, args }: DemoStep): string {
  return `\n── ${title}\n$ fleetform ${args.join(' ')}\n`;
}

/** The end of a demo in which every step ended as expected. */
export function demoDone(seconds: number): string {
  return `
Done in ${seconds} s: documents checked, plan reviewed, tasks done, every device read back.

Next:
  fleetform twin --write-env .env      Serve the same simulator for as long as you like
  fleetform init                       Create documents and workflows for your own fleet
  fleetform --help                     List all commands`;
}

export function demoFailed({ args }: DemoStep, code: number | string): string {
  return `\n\`fleetform ${args.join(' ')}\` ended with ${code}; the demo stops here.`;
}
