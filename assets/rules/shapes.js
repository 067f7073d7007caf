/*
 * Types of the rules: the facts of a line, the parsed game, and its worth. No page loads this file.
 */

/**
 * @typedef {"played" | "short" | "penalty" | "correction" | "redeal" | "seats" | "deletion" | "fine" | "unfine" | "drink" | "bringer"} Form
 * @typedef {"re" | "kontra"} Party
 * @typedef {Record<string, any>} Rules  a whole rule set (rules/settings.py)
 */

/**
 * The typed fields of one line; seats are indices in the seating order.
 * @typedef {object} Facts
 * @property {string} [kind]
 * @property {number[]} [re]
 * @property {boolean} [duty]
 * @property {number | string} [eyes]  a text where no number was typed
 * @property {string} [band]
 * @property {Party | "none"} [no_trick]
 * @property {string} [re_said]
 * @property {string} [kontra_said]
 * @property {Party} [winner]
 * @property {Party} [last_said]
 * @property {Record<string, number>} [re_specials]
 * @property {Record<string, number>} [kontra_specials]
 * @property {Record<string, number>} [game_specials]
 * @property {number[]} [out]
 * @property {number | string} [starts_bock]
 * @property {number} [bock]
 * @property {number[]} [winners]
 * @property {number | string} [base]
 * @property {boolean} [solo]
 * @property {number[]} [points]
 * @property {string} [reason]
 * @property {number} [seat]  whose fault a new deal was
 */

/**
 * Facts before validation: any field may have any value.
 * @typedef {Facts & Record<string, unknown>} Typed
 */

/**
 * One line as the rules take it.
 * @typedef {object} Deal
 * @property {Form} form
 * @property {number} table  how many sit there
 * @property {number | null} [dealer]
 * @property {Facts} facts
 */

/**
 * A parsed valid game: `Around` has what both forms have in common.
 * @typedef {object} Around
 * @property {number} table
 * @property {number | null | undefined} dealer
 * @property {Rules} rules  those for this kind of game at this size of table
 * @property {string[]} words  the kind and sorts of the game, the widest word first
 * @property {number} startsBock  Böcke by hand
 * @property {boolean} isAlone  one plays against all others
 * @property {number} size  how many play
 * @property {number[]} players
 *
 * @typedef {Around & {
 *   form: "played", kind: string, like: string, duty: boolean, re: number[], eyes: Record<Party, number>, byHand: Party | undefined,
 *   noTrick: Party | null | undefined, said: Record<Party, number>, lastSaid: Party | undefined,
 *   specials: Record<Party | "game", Record<string, number>>
 * }} Played
 *
 * @typedef {Around & {form: "short", base: number, winners: number[], eyes?: undefined, said?: undefined, specials?: undefined}} Short
 *
 * `Reading` is a game while it is parsed: who plays may be unknown. `Need` adds an invalid field.
 * @typedef {Omit<Around, "players"> & {players: number[] | null}} Reading
 * @typedef {(holds: unknown, field: string) => void} Need
 */

/**
 * A worth in the rules: points, or a doubling.
 * @typedef {number | {add?: number, times?: number}} Price
 */

/**
 * A step to the value of a game: it adds, multiplies, or is paid beside the value.
 * @typedef {object} Step
 * @property {string} code
 * @property {Party} [party]
 * @property {number} [add]
 * @property {number} [times]
 * @property {number} [pay]
 */

/**
 * The code of a sentence of `labels.REASONS`, with the party and the other values that the sentence needs.
 * @typedef {{code: string, party?: Party, announced?: string} & Record<string, any>} Reason
 *
 * The explanation of a game: keys for the names of its sides and steps, who pays special points, why a party has won, and how the value
 * became points.
 * @typedef {{sides: string, names: string[], payer: string, reasons: Reason[], shares: Reason[]}} ExplanationCodes
 */

/**
 * The worth of a line.
 * @typedef {object} Worth
 * @property {Party | null} winner
 * @property {number[]} winners
 * @property {number} value
 * @property {number[]} points
 * @property {Step[]} steps
 * @property {number} bock  the level it is played at
 * @property {number} bock_started
 * @property {number[]} open  the levels of the Bock games behind it
 * @property {boolean} [isExempt]  an open Bock did not raise it, because of its kind
 * @property {undefined} [error]
 */

/**
 * The invalid fields, each with "missing" or "refused".
 * @typedef {object} Fault
 * @property {Record<string, string>} error
 */
