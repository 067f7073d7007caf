// What the scripts of the table's page tell each other.
interface DocumentEventMap {
  /** What is new at the table; whoever takes it over prevents the default. */
  table: CustomEvent<Heard>;
  /** The page knows more than before; without detail it was fetched anew as a whole. */
  known: CustomEvent<News | undefined>;
  /** Could the server be reached just now? */
  reach: CustomEvent<boolean>;
  /** It was, and is not any more: the words for it. */
  unreached: CustomEvent<string>;
  /** A tap got no answer: what the page knows without the server is added to the note. */
  stranded: CustomEvent<HTMLElement>;
  /** A game of this phone was answered: the number of the change that it was. */
  entered: CustomEvent<number | undefined>;
}

/** What is the same at all tables (scoring/table/texts.py). */
declare const WORDS: Pick<PageData, "texts" | "labels" | "kinds" | "sides" | "reasons" | "said"> & { codes: any };
