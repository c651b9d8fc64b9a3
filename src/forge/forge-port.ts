import type { ForgeKind } from '../model/ports.ts';

/** A comment or an issue of ours, as the forge has it. */
export interface PostedText {
  /** What edits and deletes name it by; ids of one forge grow. */
  readonly id: number;
  readonly title: string;
  readonly body: string;
}

export interface RequestHead {
  readonly commit: string;
  readonly branch: string;
  /** The name of the repository that the branch is in, such as `owner/name`. */
  readonly repository: string;
  readonly isFork: boolean;
}

/** The request (pull request or merge request) and commit of a job. */
export interface RequestSubject {
  readonly head: RequestHead;
  /** Known only where the job is of the request itself. */
  readonly number?: number;
  /** The conclusion of the run that should have made the plan, if it is another run. */
  readonly conclusion?: string;
}

/** A request with the head of a job, in any state. */
export interface FoundRequest {
  readonly number: number;
  readonly state: 'open' | 'merged' | 'closed';
  /** The branch that it goes to. */
  readonly base: string;
}

export interface MergedRequest {
  readonly number: number;
  /** As people write it: `#7` or `!7`. */
  readonly name: string;
}

/** The text of an issue, and whether it should be open. */
export interface IssueText {
  readonly title: string;
  readonly body: string;
}

/**
 * The forge of a job: the comments, issues and requests of one repository. Every list has all rows, of
 * all pages, and only what the login of this job wrote, oldest first. Changes are not retried; the
 * caller reads again. Everything throws the forge's own codes for a refusal and for no answer.
 */
export interface Forge {
  /** The product that the forge is. */
  readonly kind: ForgeKind;
  /** The greatest length of a comment and of an issue, in characters. */
  readonly maxLength: number;
  /** What the forge's record of a gate knows this job by; empty where it has none. */
  readonly run: string;
  /** The page of this run; absent where it is not known. */
  readonly page?: string;
  /** What this job is about; undefined if it is not for a request. From the forge, never from a file. */
  readonly subject: RequestSubject | undefined;
  /** The page and the artifact of the planning run with its report; absent where they are not known. */
  readonly report?: { readonly page: string; readonly artifact: string };
  /** All requests, in any state, with this head branch and commit (protocol M6). */
  requestsOf(subject: RequestSubject): Promise<readonly FoundRequest[]>;
  /** The newest commit that a branch has of the history of another commit; undefined where there is none. */
  mergeBase(branch: string, commit: string): Promise<string | undefined>;
  /** The merged requests that brought a commit to its branch, in ascending order. */
  mergedRequests(commit: string): Promise<readonly MergedRequest[]>;

  comments(request: number): Promise<readonly PostedText[]>;
  addComment(request: number, body: string): Promise<void>;
  editComment(request: number, id: number, body: string): Promise<void>;
  deleteComment(request: number, id: number): Promise<void>;

  openIssues(): Promise<readonly PostedText[]>;
  addIssue(text: IssueText): Promise<void>;
  /** Gives an open issue another text; without `isOpen` it is closed with that text. */
  editIssue(id: number, text: IssueText, isOpen: boolean): Promise<void>;

  /** Runs of other workflows, and their gates; absent on a forge that fleetform uses without. */
  readonly runs?: ForgeRuns;
}

/**
 * A file that another run has left: the run, from which a step of the workflow fetches it, or the file
 * itself.
 */
export type RunArtifact =
  { readonly is: 'run'; readonly run: number } | { readonly is: 'file'; readonly content: string };

/** An artifact by the name that its workflow gives it, with its only file. */
export interface ArtifactName {
  readonly artifact: string;
  readonly file: string;
}

/** What a job asks of other runs. */
export interface ForgeRuns {
  /** The newest artifact of a name that a run of the default branch has left. */
  newestWith(wanted: ArtifactName): Promise<RunArtifact | undefined>;
  /**
   * The plans of the last commits of the requests that were merged with these commits, in the order of
   * the merges; each request once. Without `commits` that of the request which the merge queue of this job tries.
   */
  reviewedPlans(
    wanted: ArtifactName & { readonly commits?: readonly string[] | undefined },
  ): Promise<readonly ReviewedPlan[]>;
  /**
   * Who let the gate of a run pass, sorted: one of these environments, or, where the record of the forge is of each job, that
   * of this job. None where the forge has no such record (protocol M11).
   */
  gateApprovers(run: string, environments: readonly string[]): Promise<readonly string[]>;
}

/** The plan that people saw in the request that brought a commit to its branch. */
export interface ReviewedPlan {
  /** The request, as people write it. */
  readonly name: string;
  /** The plan of its last commit; absent where none is left. */
  readonly plan?: RunArtifact;
}
