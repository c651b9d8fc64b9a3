/** What a commit has below a folder: texts by their paths, links to files of that folder among them. */
export interface TreeFiles {
  readonly texts: ReadonlyMap<string, string>;
  /** Links that are not read. */
  readonly links: readonly TreeLink[];
}

export interface TreeLink {
  readonly path: string;
  /** It leads out of the folder, to a folder, to nothing that can be read, or to what is read itself. */
  readonly problem: 'leaves' | 'folder' | 'nothing' | 'document';
}
