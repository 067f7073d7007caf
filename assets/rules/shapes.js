/*
 * The shapes of the rules: the facts of a line, what they are read as, and what it comes to. No page loads this file: it has types only, for
 * the type checker and for whoever reads.
 */

/**
 * @typedef {"played" | "short" | "penalty" | "correction" | "redeal" | "seats" | "deletion" | "fine" | "unfine" | "drink" | "bringer"} Form
 * @typedef {"re" | "kontra"} Party
 * @typedef {Record<string, any>} Rules  a whole rule set (rules/settings.py)
 */

/**
 * What was typed of one line; seats are places in the seating order.
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
 * Facts that nobody has judged yet: what comes from outside may say anything.
 * @typedef {Facts & Record<string, unknown>} Typed
 */

/**
 * One line as the rules read it.
 * @typedef {object} Deal
 * @property {Form} form
 * @property {number} table  how many sit there
 * @property {number | null} [dealer]
 * @property {Facts} facts
 */

/**
 * A game that was read and found possible: where and by which rules it was played, and what was played.
 * @typedef {object} Around
 * @property {number} table
 * @property {number | null | undefined} dealer
 * @property {Rules} rules  those for this kind of game at this size of table
 * @property {string[]} words  what can be said of it, the widest word first
 * @property {number} startsBock  Böcke by hand
 * @property {boolean} isAlone  does one play against all others?
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
 * While it is read: who plays may be unknown yet, and each field that is at fault is noted.
 * @typedef {Omit<Around, "players"> & {players: number[] | null}} Reading
 * @typedef {(holds: unknown, field: string) => void} Need
 */

/**
 * What something is worth by the rules: points, or a doubling.
 * @typedef {number | {add?: number, times?: number}} Price
 */

/**
 * A step on the way to what a game is worth: it adds, multiplies, or is paid beside.
 * @typedef {object} Step
 * @property {string} code
 * @property {Party} [party]
 * @property {number} [add]
 * @property {number} [times]
 * @property {number} [pay]
 */

/**
 * A sentence of the catalogue by its code, with the party that it speaks of and the codes and numbers in it.
 * @typedef {{code: string, party?: Party, announced?: string} & Record<string, any>} Reason
 *
 * A game explained: what its sides are called, a name for each step, who pays special points that are paid, why its party has
 * won, and how the value became points.
 * @typedef {{sides: string, names: string[], payer: string, reasons: Reason[], shares: Reason[]}} ExplanationCodes
 */

/**
 * What a line comes to.
 * @typedef {object} Worth
 * @property {Party | null} winner
 * @property {number[]} winners
 * @property {number} value
 * @property {number[]} points
 * @property {Step[]} steps
 * @property {number} bock  the level it is played at
 * @property {number} bock_started
 * @property {number[]} open  the levels of the Bock games behind it
 * @property {boolean} [isExempt]  did an open Bock not raise it, because of its kind?
 * @property {undefined} [error]
 */

/**
 * The fields that are refused, each with "missing" or "refused".
 * @typedef {object} Fault
 * @property {Record<string, string>} error
 */
