/*
 * The shapes of the table's page, as docs/api.md describes them where they come from the server: the sheet, what waits, and the state of the
 * page. No page loads this file: it has types only, for the type checker and for whoever reads.
 */

/**
 * A line of the sheet, as the server tells it.
 * @typedef {object} Line
 * @property {string} key
 * @property {number} version
 * @property {Form} form
 * @property {number | null} number
 * @property {number} cycle
 * @property {boolean} ends_cycle
 * @property {number} table
 * @property {number[]} seats  the ids of those who sat there
 * @property {number | null} dealer
 * @property {number} [turn]  whose deal it would have been
 * @property {number[]} out
 * @property {number | null} soloist
 * @property {Facts} facts
 * @property {string} note
 * @property {Party | null} winner
 * @property {number[]} winners
 * @property {number} value
 * @property {number[]} points
 * @property {number} bock
 * @property {number} bock_started
 * @property {string} label
 * @property {string} [name]  what it is called in a sentence, where its label does not say
 * @property {"correction" | "deletion"} [edit]  what waits to be done to it
 * @property {boolean} [waiting]  it waits on this phone, or something about it
 * @property {Refusal | null} [refused]
 */

/**
 * A new line that waits on this phone, as the phone computes it; `ahead` is the place that it was typed for.
 * @typedef {Line & {waiting: true, ahead?: Next, refused: Refusal | null}} WaitingLine
 */

/**
 * What the next game looks like.
 * @typedef {object} Next
 * @property {number} number
 * @property {number} cycle
 * @property {number} dealer
 * @property {number | null} leader
 * @property {number[]} out
 * @property {number[]} owing
 * @property {number | null} soloist
 * @property {number[]} bock
 * @property {[number | string, number][]} bock_runs  the game that started it, and how many games it still brings
 * @property {string} bock_origin
 * @property {string} after  the key of the line before
 * @property {number | string} round  as long as a new line-up waits, the key of its entry
 * @property {number[]} [seats]  its people, as long as it waits
 */

/**
 * What is known of a table: the page begins with it, and other phones change it.
 * @typedef {object} News
 * @property {Line[]} lines
 * @property {Next} next
 * @property {number[]} columns
 * @property {number[]} seats
 * @property {boolean} open
 * @property {number} planned
 * @property {number[]} chain  what was open before the first line
 * @property {number} [late]
 */

/**
 * What the page knows from the beginning on.
 * @typedef {object} PageFacts
 * @property {Record<number, string>} names
 * @property {number} late
 * @property {string} me
 * @property {Rules} rules
 * @property {Record<string, string>} labels
 * @property {Record<string, string>} kinds
 * @property {Record<string, Record<string, string>>} sides  what the sides are called, by the sort of game
 * @property {Record<string, string>} reasons
 * @property {Record<string, string>} said
 * @property {Penalty[]} penalties
 * @property {Record<string, string>} texts
 * @property {boolean} seats_people  whoever is here may say who sits at the table, and put a line between others
 *
 * @typedef {News & PageFacts} PageData
 *
 * @typedef {object} Penalty
 * @property {number} lost
 * @property {number} won
 * @property {string} reason
 * @property {string} legend
 * @property {boolean} dealt
 */

/**
 * What the drawer of the Kasse offers: who is there, by id and name, the fines of the tariff, and those that were entered; the drinks with
 * their prices and who had how many, and the guests, each with who brought them (0: nobody is named).
 * @typedef {object} Till
 * @property {[number, string][]} people
 * @property {TillFine[]} fines
 * @property {{key: string, what: string}[]} entered
 * @property {[string, string][]} drinks
 * @property {Record<number, Record<string, number>>} drunk
 * @property {Record<number, number>} guests
 *
 * @typedef {{code: string, name: string, price: string, asks: "count" | "minutes" | "cents", beyond?: number}} TillFine
 */

/**
 * Why the server did not take an entry.
 * @typedef {object} Refusal
 * @property {string[]} sentences
 * @property {string} [after]
 * @property {Line | null} [standing]
 * @property {number[]} [before]  who sits there by now
 */

/**
 * What was typed here and is on its way; rows of this shape wait in IndexedDB, so it stays as it is.
 * @typedef {object} OutboxEntry
 * @property {string} key
 * @property {string} after
 * @property {string} round
 * @property {Form} form
 * @property {number | null} dealer
 * @property {string} note
 * @property {Facts} facts
 * @property {number[]} seats
 * @property {string} [address]
 * @property {Typist} [typist]
 * @property {Refusal | null} [refused]
 * @property {number} [place]
 * @property {string} [to]  the address that it goes to, where it is no line
 * @property {number[]} [before]  where people sit down: who sat there then; `seats` are those who do now
 * @property {Record<number, string>} [names]  whom of them only this phone knows, by ids below 0
 * @property {number} [version]  of the line that it corrects or strikes out, as it was seen; it stands under the key of that line
 * @property {string} [beside]  the key of the line that it is put before
 * @property {{key: string, [field: string]: unknown}} [letter]  what is sent, where it is of the Kasse; `note` is what it is called
 *
 * @typedef {Pick<OutboxEntry, "version" | "beside" | "to" | "round"> & {key?: string, after?: string}} Edit  what makes of something typed a change of lines
 *
 * @typedef {{who: string | undefined, name?: string}} Typist
 */

/**
 * What the server says of an entry: it stands on the sheet, people sit there, or the Kasse has it (`late`, where somebody has to decide
 * first); or it was refused.
 * @typedef {{key: string, lines: Line[], next: Next, change: number | null, remarks: string[]}} Saved
 * @typedef {Pick<News, "next" | "seats" | "columns"> & {round: number, people: number[]}} Seated
 * @typedef {{cash: string}} Booked
 * @typedef {(Saved | Seated | Booked) & {late?: string, error?: undefined, errors?: undefined}} Taken
 * @typedef {Omit<Refusal, "sentences"> & {late?: undefined, error?: string, errors?: Record<string, string>, lines?: Line[], next?: Next}} Refused
 * @typedef {{status: number, body: Taken | Refused | null}} Answer
 */

/**
 * What is half typed (table/draft.js); it is kept on phones in this shape.
 * @typedef {object} Draft
 * @property {[string, string][]} typed  the fields of the form
 * @property {string} after  the key of the line that it follows
 * @property {number[]} seats  for whom it was typed
 * @property {{key: string}[]} lines  what stood on the sheet then
 * @property {Edit} [edit]  where it is about a line that the server has
 * @property {Draft | null} [behind]  what was being typed before
 */

/**
 * What the server says where the page watches the table.
 * @typedef {News & {keep: number, undo: Undo | null, error?: string, isCopy?: boolean}} Heard
 *
 * @typedef {{change: string | number, what: string, key?: string}} Undo  `key` of the line, where one was entered
 */

/**
 * The outbox of one table (table/outbox.js).
 * @typedef {Awaited<ReturnType<typeof import("./outbox.js").open>>} Outbox
 */

/**
 * What is in the form of the table: nothing yet, something half typed, something that the server is asked about, nothing since the last game
 * was taken (then the button rests until something is typed), an entry that is mended, or one that was refused and has not been changed since (then
 * the button rests as well).
 * @typedef {"empty" | "typing" | "checking" | "saved" | "mending" | "returned"} Phase
 */

/**
 * The whole state of the table's page (table/state.js). What waits is copied from the outbox.
 * @typedef {object} State
 * @property {Phase} phase
 * @property {string | null} mending  the key of the entry in the form
 * @property {Edit | null} edit  where something about a line that the server has is in the form
 * @property {Next | null} place  what a game looks like there
 * @property {Draft | null} unfinished  what was being typed before something else came into the form
 * @property {string | null} entered  the key of what was just entered, until it is told that it waits
 * @property {string} trouble  what keeps everything from being sent, in a sentence, where it is not the net
 * @property {boolean} isReached
 * @property {Line[]} lines  what the server has
 * @property {Next} next  the next game, as the server has it
 * @property {number[]} seats  who sits there, as the server has it
 * @property {Undo | null} undo  the last change that the server would take back
 * @property {Waits} waits
 * @property {WaitingLine[]} waiting  the new lines that wait
 * @property {Line[]} shown  what the server has, as it will be; what is struck out is still there
 * @property {Line[]} standing  all lines in the order in which they will stand
 * @property {Next} upcoming  the next game behind all of them
 */

/**
 * @typedef {object} Waits
 * @property {OutboxEntry[]} entries
 * @property {OutboxEntry[]} others
 * @property {string | null} held
 * @property {boolean} isStuck
 * @property {boolean} isUnread  what waits on this phone could not be read
 * @property {boolean} isOnlyHere  something is kept in this open page only
 */

/**
 * What happens to the table's page.
 * @typedef {{type: "typed"} | {type: "checking"} | {type: "checked"} | {type: "emptied"} | {type: "kept", key: string | null}
 *   | {type: "mending", key: string, unfinished: Draft | null, edit?: Edit | null} | {type: "returned"} | {type: "set aside", draft: Draft} | {type: "taken up"}
 *   | {type: "reached", isReached: boolean} | {type: "trouble", text: string} | {type: "told of waiting"}
 *   | {type: "known", lines?: Line[], next?: Next, undo?: Undo | null, seats?: number[], waits: Waits}} Action
 */

/**
 * A box above the entry: what was refused or tapped, and what can be done about it.
 * @typedef {object} Box
 * @property {"alert" | "status"} role
 * @property {string[]} sentences
 * @property {number} close  so many of them stand close to the next
 * @property {string} points  what it comes to, in quiet letters, where nothing is in its place
 * @property {{text: string, act: Act, key: string}[]} buttons
 *
 * @typedef {"again" | "mend" | "open" | "discard" | "leave" | "adopt" | "anew"} Act
 */
