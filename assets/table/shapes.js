/*
 * The types of the table's page; docs/api.md describes those that the server sends. No page loads this file: it is for the type checker and for
 * readers.
 */

/**
 * A line of the sheet, as the server sends it.
 * @typedef {object} Line
 * @property {string} key
 * @property {number} version
 * @property {Form} form
 * @property {number | null} number
 * @property {number} cycle
 * @property {boolean} ends_cycle
 * @property {number} table
 * @property {number[]} seats  the ids of the players
 * @property {number | null} dealer
 * @property {number} [turn]  the seat whose turn it was to deal
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
 * @property {string} [name]  its name in a sentence, if the label differs
 * @property {"correction" | "deletion"} [edit]  a waiting change
 * @property {boolean} [waiting]  it waits on this phone, or a change of it
 * @property {Refusal | null} [refused]
 */

/**
 * A new line that waits on this phone, as the phone computes it; `ahead` is the game it was typed for.
 * @typedef {Line & {waiting: true, ahead?: Next, refused: Refusal | null}} WaitingLine
 */

/**
 * The next game.
 * @typedef {object} Next
 * @property {number} number
 * @property {number} cycle
 * @property {number} dealer
 * @property {number | null} leader
 * @property {number[]} out
 * @property {number[]} owing
 * @property {number | null} soloist
 * @property {number[]} bock
 * @property {[number | string, number][]} bock_runs  the game that started it, and the games left
 * @property {string} bock_origin
 * @property {string} after  the key of the line before
 * @property {number | string} round  the key of the entry while a new line-up waits
 * @property {number[]} [seats]  the players of a waiting line-up
 */

/**
 * The state of a table, which other phones change.
 * @typedef {object} News
 * @property {Line[]} lines
 * @property {Next} next
 * @property {number[]} columns
 * @property {number[]} seats
 * @property {boolean} open
 * @property {number} planned
 * @property {number[]} chain  the open Bock games before the first line
 * @property {number} [late]
 */

/**
 * The facts of a page that do not change.
 * @typedef {object} PageFacts
 * @property {Record<number, string>} names
 * @property {number} late
 * @property {string} me
 * @property {Rules} rules
 * @property {Record<string, string>} labels
 * @property {Record<string, string>} kinds
 * @property {Record<string, Record<string, string>>} sides  the names of the sides, by sort of game
 * @property {Record<string, string>} reasons
 * @property {Record<string, string>} said
 * @property {Penalty[]} penalties
 * @property {Record<string, string>} texts
 * @property {boolean} seats_people  whether the user may seat players and insert lines
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
 * The choices in the drawer of the Kasse: attending players, fines of the tariff and entered ones, drinks with prices and counts, and guests with
 * the member who brought them (0: unknown).
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
 * The reason why the server refused an entry.
 * @typedef {object} Refusal
 * @property {string[]} sentences
 * @property {string} [after]
 * @property {Line | null} [standing]
 * @property {number[]} [before]  the present players
 */

/**
 * An entry on its way to the server. Such rows wait in IndexedDB, so their shape must stay.
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
 * @property {string} [to]  its address, if it is no line
 * @property {number[]} [before]  in a line-up the earlier players; `seats` are the new ones
 * @property {Record<number, string>} [names]  players whom only this phone knows, by ids below 0
 * @property {number} [version]  the seen version of the line that it corrects or deletes; its key is the key of that line
 * @property {string} [beside]  the key of the line behind an inserted one
 * @property {{key: string, [field: string]: unknown}} [letter]  the body of an entry for the Kasse; `note` is its label
 *
 * @typedef {Pick<OutboxEntry, "version" | "beside" | "to" | "round"> & {key?: string, after?: string}} Edit  the part of an entry that makes it a change of a saved line
 *
 * @typedef {{who: string | undefined, name?: string}} Typist
 */

/**
 * The server's answers to an entry: a saved line, a line-up, an entry of the Kasse (`late` if it waits for a decision), or a refusal.
 * @typedef {{key: string, lines: Line[], next: Next, change: number | null, remarks: string[]}} Saved
 * @typedef {Pick<News, "next" | "seats" | "columns"> & {round: number, people: number[]}} Seated
 * @typedef {{cash: string}} Booked
 * @typedef {(Saved | Seated | Booked) & {late?: string, error?: undefined, errors?: undefined}} Taken
 * @typedef {Omit<Refusal, "sentences"> & {late?: undefined, error?: string, errors?: Record<string, string>, lines?: Line[], next?: Next}} Refused
 * @typedef {{status: number, body: Taken | Refused | null}} Answer
 */

/**
 * A draft (table/draft.js). Phones store this shape.
 * @typedef {object} Draft
 * @property {[string, string][]} typed  the fields of the form
 * @property {string} after  the key of the line that it follows
 * @property {number[]} seats  the players it was typed for
 * @property {{key: string}[]} lines  the lines of the sheet then
 * @property {Edit} [edit]  if it changes a line of the server
 * @property {Draft | null} [behind]  what was being typed before it
 */

/**
 * The news that the page receives while it watches the table.
 * @typedef {News & {keep: number, undo: Undo | null, error?: string, isCopy?: boolean}} Heard
 *
 * @typedef {{change: string | number, what: string, key?: string}} Undo  `key` of an added line
 */

/**
 * The outbox of one table (table/outbox.js).
 * @typedef {Awaited<ReturnType<typeof import("./outbox.js").open>>} Outbox
 */

/**
 * The phase of the form: empty, being typed, being checked by the server, just saved (the button rests until input), an entry being edited, or a
 * refused entry that has not changed (the button rests too).
 * @typedef {"empty" | "typing" | "checking" | "saved" | "mending" | "returned"} Phase
 */

/**
 * The state of the table's page (table/state.js). Waiting entries are copied from the outbox.
 * @typedef {object} State
 * @property {Phase} phase
 * @property {string | null} mending  the key of the entry in the form
 * @property {Edit | null} edit  set if the form changes a line of the server
 * @property {Next | null} place  the game at that place
 * @property {Draft | null} unfinished  what was being typed before something else came into the form
 * @property {string | null} entered  the key of the last entry, until the user is told that it waits
 * @property {string} trouble  the sentence why nothing can be sent, unless it is the network
 * @property {boolean} isReached
 * @property {Line[]} lines  what the server has
 * @property {Next} next  the server's next game
 * @property {number[]} seats  the server's line-up
 * @property {Undo | null} undo  the last change that the server can undo
 * @property {Waits} waits
 * @property {WaitingLine[]} waiting  the waiting new lines
 * @property {Line[]} shown  the server's lines as they will be, including deleted ones
 * @property {Line[]} standing  all lines in their future order
 * @property {Next} upcoming  the next game behind all of them
 */

/**
 * @typedef {object} Waits
 * @property {OutboxEntry[]} entries
 * @property {OutboxEntry[]} others
 * @property {string | null} held
 * @property {boolean} isStuck
 * @property {boolean} isUnread  stored entries could not be read
 * @property {boolean} isOnlyHere  an entry is in this open page only
 */

/**
 * The actions of the table's page.
 * @typedef {{type: "typed"} | {type: "checking"} | {type: "checked"} | {type: "emptied"} | {type: "kept", key: string | null}
 *   | {type: "mending", key: string, unfinished: Draft | null, edit?: Edit | null} | {type: "returned"} | {type: "set aside", draft: Draft} | {type: "taken up"}
 *   | {type: "reached", isReached: boolean} | {type: "trouble", text: string} | {type: "told of waiting"}
 *   | {type: "known", lines?: Line[], next?: Next, undo?: Undo | null, seats?: number[], waits: Waits}} Action
 */

/**
 * A box above the form for a refused or tapped entry, with its buttons.
 * @typedef {object} Box
 * @property {"alert" | "status"} role
 * @property {string[]} sentences
 * @property {number} close  the number of sentences that are close to the next
 * @property {string} points  the points in quiet letters, if no other line is in its place
 * @property {{text: string, act: Act, key: string}[]} buttons
 *
 * @typedef {"again" | "mend" | "open" | "discard" | "leave" | "adopt" | "anew"} Act
 */
