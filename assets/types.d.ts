/*
 * The types of the scripts: first those of the rules (the facts of a line, the parsed game, and its worth), then those of the table's page;
 * docs/api.md describes those that the server sends.
 */

type Form = "played" | "short" | "penalty" | "correction" | "redeal" | "seats" | "deletion" | "fine" | "unfine" | "drink" | "bringer";
type Party = "re" | "kontra";
/** A whole rule set (rules/settings.py). */
type Rules = Record<string, any>;

/** The typed fields of one line; seats are indices in the seating order. */
type Facts = {
  kind?: string;
  re?: number[];
  duty?: boolean;
  eyes?: number | string; // a text where no number was typed
  band?: string;
  no_trick?: Party | "none";
  re_said?: string;
  kontra_said?: string;
  winner?: Party;
  last_said?: Party;
  re_specials?: Record<string, number>;
  kontra_specials?: Record<string, number>;
  game_specials?: Record<string, number>;
  out?: number[];
  starts_bock?: number | string;
  bock?: number;
  winners?: number[];
  base?: number | string;
  solo?: boolean;
  points?: number[];
  reason?: string;
  seat?: number; // whose fault a new deal was
};

/** Facts before validation: any field may have any value. */
type Typed = Facts & Record<string, unknown>;

/** One line as the rules take it. */
interface Deal {
  form: Form;
  table: number; // how many sit there
  dealer?: number | null;
  facts: Facts;
}

/** A parsed valid game: `Around` has what both forms have in common. */
interface Around {
  table: number;
  dealer: number | null | undefined;
  rules: Rules; // those for this kind of game at this size of table
  words: string[]; // the kind and sorts of the game, the widest word first
  startsBock: number; // Böcke by hand
  isAlone: boolean; // one plays against all others
  size: number; // how many play
  players: number[];
}

interface Played extends Around {
  form: "played";
  kind: string;
  like: string;
  duty: boolean;
  re: number[];
  eyes: Record<Party, number>;
  byHand: Party | undefined;
  noTrick: Party | null | undefined;
  said: Record<Party, number>;
  lastSaid: Party | undefined;
  specials: Record<Party | "game", Record<string, number>>;
}

interface Short extends Around {
  form: "short";
  base: number;
  winners: number[];
  eyes?: undefined;
  said?: undefined;
  specials?: undefined;
}

/** A game while it is parsed: who plays may be unknown. */
type Reading = Omit<Around, "players"> & { players: number[] | null };
/** Add an invalid field. */
type Need = (holds: unknown, field: string) => void;

/** A worth in the rules: points, or a doubling. */
type Price = number | { add?: number; times?: number };

/** A step to the value of a game: it adds, multiplies, or is paid beside the value. */
interface Step {
  code: string;
  party?: Party;
  add?: number;
  times?: number;
  pay?: number;
}

/** The code of a sentence of `labels.REASONS`, with the party and the other values that the sentence needs. */
type Reason = { code: string; party?: Party; announced?: string } & Record<string, any>;

/** The explanation of a game. */
interface ExplanationCodes {
  sides: string; // the key of the names of its sides
  names: string[]; // the keys of the names of its steps
  payer: string; // who pays special points
  reasons: Reason[]; // why a party has won
  shares: Reason[]; // how the value became points
}

/** The worth of a line. */
interface Worth {
  winner: Party | null;
  winners: number[];
  value: number;
  points: number[];
  steps: Step[];
  bock: number; // the level it is played at
  bock_started: number;
  open: number[]; // the levels of the Bock games behind it
  isExempt?: boolean; // an open Bock did not raise it, because of its kind
  error?: undefined;
}

/** The invalid fields, each with "missing" or "refused". */
interface Fault {
  error: Record<string, string>;
}

/** A line of the sheet, as the server sends it. */
interface Line {
  key: string;
  version: number;
  form: Form;
  number: number | null;
  cycle: number;
  ends_cycle: boolean;
  table: number;
  seats: number[]; // the ids of the players
  dealer: number | null;
  turn?: number; // the seat whose turn it was to deal
  out: number[];
  soloist: number | null;
  facts: Facts;
  note: string;
  winner: Party | null;
  winners: number[];
  value: number;
  points: number[];
  bock: number;
  bock_started: number;
  label: string;
  name?: string; // its name in a sentence, if the label differs
  edit?: "correction" | "deletion"; // a waiting change
  waiting?: boolean; // it waits on this phone, or a change of it
  ahead?: Next; // the game for which it was typed, if it is a new line that waits on this phone
  refused?: Refusal | null;
}

/** The next game. */
interface Next {
  number: number;
  cycle: number;
  dealer: number;
  leader: number | null;
  out: number[];
  owing: number[];
  soloist: number | null;
  bock: number[];
  bock_runs: [number | string, number][]; // the game that started it, and the games left
  bock_origin: string;
  after: string; // the key of the line before
  round: number | string; // the key of the entry while a new line-up waits
  seats?: number[]; // the players of a waiting line-up
}

/** The state of a table, which other phones change. */
interface News {
  lines: Line[];
  next: Next;
  columns: number[];
  seats: number[];
  open: boolean;
  planned: number;
  chain: number[]; // the open Bock games before the first line
  late?: number;
}

/** The facts of a page that do not change. */
interface PageFacts {
  names: Record<number, string>;
  late: number;
  me: string;
  rules: Rules;
  labels: Record<string, string>;
  kinds: Record<string, string>;
  sides: Record<string, Record<string, string>>; // the names of the sides, by sort of game
  reasons: Record<string, string>;
  said: Record<string, string>;
  penalties: Penalty[];
  texts: Record<string, string>;
  seats_people: boolean; // whether the user may seat players and insert lines
}

type PageData = News & PageFacts;

interface Penalty {
  lost: number;
  won: number;
  reason: string;
  legend: string;
  dealt: boolean;
}

/**
 * The choices in the drawer of the Kasse: attending players, fines of the tariff and entered ones, drinks with prices and counts, and guests with
 * the member who brought them (0: unknown).
 */
interface Till {
  people: [number, string][];
  fines: TillFine[];
  entered: { key: string; what: string }[];
  drinks: [string, string][];
  drunk: Record<number, Record<string, number>>;
  guests: Record<number, number>;
}

type TillFine = {
  code: string;
  name: string;
  price: string;
  asks: "count" | "minutes" | "cents";
  beyond?: number; // an amount above this has to be confirmed
};

/** The reason why the server refused an entry. */
interface Refusal {
  sentences: string[];
  after?: string;
  standing?: Line | null;
  before?: number[]; // the present players
}

/** An entry on its way to the server. Such rows wait in IndexedDB, so their shape must stay. */
interface OutboxEntry {
  key: string;
  after: string;
  round: string;
  form: Form;
  dealer: number | null;
  note: string;
  facts: Facts;
  seats: number[];
  address?: string;
  typist?: Typist;
  refused?: Refusal | null;
  place?: number;
  to?: string; // its address, if it is no line
  before?: number[]; // in a line-up the earlier players; `seats` are the new ones
  names?: Record<number, string>; // players whom only this phone knows, by ids below 0
  version?: number; // the seen version of the line that it corrects or deletes; its key is the key of that line
  beside?: string; // the key of the line behind an inserted one
  letter?: { key: string; [field: string]: unknown }; // the body of an entry for the Kasse; `note` is its label
}

/** The part of an entry that makes it a change of a saved line. */
type Edit = Pick<OutboxEntry, "version" | "beside" | "to" | "round"> & { key?: string; after?: string };

type Typist = { who: string | undefined; name?: string };

/** The server's answers to an entry: a saved line, a line-up, an entry of the Kasse (`late` if it waits for a decision), or a refusal. */
type Saved = { key: string; lines: Line[]; next: Next; change: number | null; remarks: string[] };
type Seated = Pick<News, "next" | "seats" | "columns"> & { round: number; people: number[] };
type Booked = { cash: string };
type Taken = (Saved | Seated | Booked) & { late?: string; error?: undefined; errors?: undefined };
type Refused = Omit<Refusal, "sentences"> & { late?: undefined; error?: string; errors?: Record<string, string>; lines?: Line[]; next?: Next };

type Answer = { status: number; body: Taken | Refused | null };

/** A draft (table/draft.ts). Phones store this shape. */
interface Draft {
  typed: [string, string][]; // the fields of the form
  after: string; // the key of the line that it follows
  seats: number[]; // the players it was typed for
  lines: { key: string }[]; // the lines of the sheet then
  edit?: Edit; // if it changes a line of the server
  behind?: Draft | null; // what was being typed before it
}

/** The news that the page receives while it watches the table. */
type Heard = News & { keep: number; undo: Undo | null; error?: string; isCopy?: boolean };

interface Undo {
  change: string | number;
  what: string;
  key?: string; // of an added line
}

/** The outbox of one table (table/outbox.ts). */
type Outbox = Awaited<ReturnType<typeof import("./table/outbox.ts").open>>;

/**
 * The phase of the form: empty, being typed, being checked by the server, just saved (the button rests until input), an entry being edited, or a
 * refused entry that has not changed (the button rests too).
 */
type Phase = "empty" | "typing" | "checking" | "saved" | "mending" | "returned";

/** The state of the table's page (table/state.ts). Waiting entries are copied from the outbox. */
interface State {
  phase: Phase;
  mending: string | null; // the key of the entry in the form
  edit: Edit | null; // set if the form changes a line of the server
  place: Next | null; // the game at that place
  unfinished: Draft | null; // what was being typed before something else came into the form
  entered: string | null; // the key of the last entry, until the user is told that it waits
  trouble: string; // the sentence why nothing can be sent, unless it is the network
  isReached: boolean;
  lines: Line[]; // what the server has
  next: Next; // the server's next game
  seats: number[]; // the server's line-up
  undo: Undo | null; // the last change that the server can undo
  waits: Waits;
  waiting: Line[]; // the waiting new lines
  shown: Line[]; // the server's lines as they will be, including deleted ones
  standing: Line[]; // all lines in their future order
  upcoming: Next; // the next game behind all of them
}

/** What of the outbox decides what is shown. */
type Waits = Pick<Outbox, "entries" | "others" | "held" | "isStuck" | "isUnread" | "isOnlyHere">;

/** The actions of the table's page. */
type Action = { type: "typed" } | { type: "checking" } | { type: "checked" } | { type: "emptied" } | { type: "kept"; key: string | null }
  | { type: "mending"; key: string; unfinished: Draft | null; edit?: Edit | null } | { type: "returned" } | { type: "set aside"; draft: Draft } | { type: "taken up" }
  | { type: "reached"; isReached: boolean } | { type: "trouble"; text: string } | { type: "told of waiting" }
  | { type: "known"; lines?: Line[]; next?: Next; undo?: Undo | null; seats?: number[]; waits: Waits };

/** A box above the form for a refused or tapped entry, with its buttons. */
interface Box {
  role: "alert" | "status";
  sentences: string[];
  close: number; // the number of sentences that are close to the next
  points: string; // the points in quiet letters, if no other line is in its place
  buttons: { text: string; act: Act; key: string }[];
}

type Act = "again" | "mend" | "open" | "discard" | "leave" | "adopt" | "anew";

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
