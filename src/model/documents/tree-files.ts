/**
 * The files that a commit has below a folder: texts by path, with links to files of that folder.
 */
export interface TreeFiles {
  readonly texts: ReadonlyMap<string, string>;
  /** Links that are not read. */
  readonly links: readonly TreeLink[];
}

export interface TreeLink {
  readonly path: string;
  /**
   * The link leads out of the folder, to a folder, to no readable file, or to a document that is
   * read anyway.
   */
  readonly problem: 'leaves' | 'folder' | 'nothing' | 'document';
}
