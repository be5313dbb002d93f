/**
 * The shapes that come over the wire: see docs/wire.md. Types only; nothing here runs.
 *
 * @typedef {{rule?: string, die?: number, table?: boolean, chip?: string, was?: string, note?: string, quiet?: string, side?: number}} Mark
 * @typedef {(string | Mark)[]} Parts
 * @typedef {{name: string, mark: number}} Side
 * @typedef {{label: string, time?: string, note?: string}} Clock
 *
 * @typedef {object} Row
 * @property {string} name
 * @property {number} side
 * @property {string} score
 * @property {string} status
 * @property {string} [word]
 * @property {string} [mark] of a status that a system brings
 * @property {[number, number] | null} [vital]
 * @property {Parts[]} [sub]
 * @property {"" | "top" | "mid" | "end"} [tie]
 * @property {string | [string, string]} label
 * @property {string} [group]
 * @property {string[]} [cells]
 * @property {{total: number, left: number, off: number}} [pips]
 *
 * @typedef {{name: string, places: [string, number | null][], reason: Parts}} Delay
 * @typedef {{title: string, note: string, here: boolean, who: [number, string, boolean, string][]}} Zone
 * @typedef {{number: string | number, title: string, state: "done" | "now" | "", lines: Parts[]}} Step
 * @typedef {{side: number, name: string, from: number, to: number, text: string, after: string, done: boolean}} Bar
 * @typedef {{type: "zones", label: string, zones: Zone[]}} Zones
 * @typedef {{type: "flow", label?: string, steps: Step[]}} Flow
 * @typedef {{type: "ticks", label?: string, title?: string, of?: number, now: number, bars: Bar[]}} Ticks
 * @typedef {{type: "cells", label: string, titles: string[], now: number}} Cells
 * @typedef {{at: [number, number], threatened: boolean, who: [number, string, boolean][]}} Hex
 * @typedef {{type: "hexes", label: string, title: string, hexes: Hex[], lines: Parts[]}} Hexes
 * @typedef {Zones | Flow | Ticks | Cells | Hexes} Strip
 *
 * @typedef {object} LadderData
 * @property {number} revision
 * @property {string} score
 * @property {Clock} clock
 * @property {Side[]} sides
 * @property {string[]} order
 * @property {Record<string, Row>} rows
 * @property {Record<string, string>} [words]
 * @property {string | null} [current]
 * @property {string | null} [selected]
 * @property {Delay | null} [delay]
 * @property {boolean} players
 * @property {Strip[]} [strips]
 *
 * @typedef {{id: string, title: string, total?: number, left?: number, off?: number, unlimited?: string | null}} Slot
 * @typedef {{action: string, title: string, done: number, total: number, text: Parts}} Progress
 * @typedef {{id: string, title: string, extra?: string, why?: number | null, needs?: string[]}} Action
 * @typedef {{id: string, title: string, small?: string, actions: Action[], whys: Parts[]}} Group
 *
 * @typedef {object} BudgetData
 * @property {number} revision
 * @property {string | null} [name]
 * @property {string} caption
 * @property {Slot[]} slots
 * @property {Progress[]} [progress]
 * @property {string[]} groups
 * @property {Record<string, Group>} group
 * @property {boolean} [busy]
 * @property {"seeded" | "table"} [dice]
 * @property {boolean} [players]
 *
 * @typedef {{value: unknown, label: Parts, allowed: boolean, why?: Parts}} Choice
 * @typedef {{id: string, title: string, type: "one" | "many" | "text" | "number" | "flag", required: boolean, kept?: boolean, values?: Choice[]}} Param
 * @typedef {{purpose: string, legend: string, sides: number[], sum: Parts, error: string}} Roll
 * @typedef {{allowed: boolean, reason?: Parts, param?: string}} Ruling
 * @typedef {{params: Param[], dice: Roll[], ruling: Ruling}} Choices
 *
 * @typedef {{seq: number, side?: number | null, actor: string, text: Parts, cite: string[], undone: boolean}} Line
 * @typedef {{title: string, time?: string}} Head
 * @typedef {object} LogData
 * @property {number} revision
 * @property {number} first
 * @property {number} last
 * @property {number} cursor
 * @property {number} events
 * @property {number | null} [at]
 * @property {string} [label]
 * @property {["undo" | "redo", number] | null} [way]
 * @property {number | null} [fork]
 * @property {string | null} [given]
 * @property {string} [branch]
 * @property {string[]} [branches]
 * @property {boolean} [replay]
 * @property {Record<string, Head>} heads
 * @property {Record<string, Line>} lines
 * @property {Record<string, number>} [newest]
 * @property {Side[]} sides
 * @property {boolean} players
 *
 * @typedef {{id: string, title: string, needs?: string[]}} Answer
 * @typedef {{who: string, side?: number | null, text: string, sub?: Parts, actions?: Answer[], must?: boolean, choices?: (string | number | boolean)[]}} Asked
 * @typedef {{id: string | number, title: string, question: boolean, rows: Asked[], notes?: Parts[], soft?: boolean}} Window
 * @typedef {{id: string, title: string, type: "int" | "text" | "list" | "bool", default?: unknown, min?: number | null, max?: number | null, vital?: boolean}} Stat
 * @typedef {{name: string, side: number, npc: boolean, summary: string, surprised: boolean}} Member
 * @typedef {{stats: Stat[], combatants?: Member[], sides?: Side[]}} Setup
 * @typedef {{names: string[], vitals: [string, string][], conditions: string[], untils: string[]}} Bookkeeping
 *
 * @typedef {object} TrackerData
 * @property {number} revision
 * @property {"setup" | "play" | "over" | "past"} mode
 * @property {string} system
 * @property {[string, string][]} [systems]
 * @property {Clock} [clock]
 * @property {{title: string, sub: string}} [turn]
 * @property {{label: string, allowed: boolean, reason?: Parts}} [end]
 * @property {{allowed: boolean, title: string}} [undo]
 * @property {{allowed: boolean, title: string}} [redo]
 * @property {Window[]} [windows]
 * @property {Parts[]} [result]
 * @property {string} [announce]
 * @property {Setup} [setup]
 * @property {Bookkeeping} [gm]
 * @property {Side[]} [sides]
 * @property {boolean} players
 * @property {"seeded" | "table"} [dice]
 *
 * @typedef {{question: string, cells: [string, string, boolean][][]}} RulesRow
 * @typedef {object} RulesData
 * @property {number} revision
 * @property {string} topic
 * @property {[string, string][]} topics
 * @property {[string, string, boolean][]} systems
 * @property {RulesRow[]} rows
 * @property {RulesRow} more
 *
 * @typedef {{t: number, at: string, who: string, side: number, waits: string[], wishes: [string, number | null][], sums: [number, number, number, number]}} Moment
 * @typedef {object} Lane
 * @property {string} system
 * @property {string} title
 * @property {string} encounter
 * @property {string} label
 * @property {number[]} rounds
 * @property {number[]} steps
 * @property {number[]} rests
 * @property {Record<string, {turns: number[], actions: number[], reactions: number[]}>} marks
 * @property {Moment[]} moments
 * @property {Parts[]} whys
 * @property {[number, number, number, number]} sums
 * @property {Parts} caption
 * @property {number | null} [length]
 *
 * @typedef {object} ComparisonData
 * @property {number} revision
 * @property {string} title
 * @property {string} about
 * @property {number} span
 * @property {[number, string][]} axis
 * @property {Side[]} sides
 * @property {string[]} order
 * @property {Record<string, Lane>} lanes
 *
 * @typedef {{reason: string, rule?: string}} Refusal
 * @typedef {{kind: string, [argument: string]: unknown}} Intent
 *
 * What a view may ask of whoever drives it.
 * @typedef {object} Port
 * @property {(intent: Intent, refused: (refusal: Refusal) => void) => void} send
 * @property {(question: Intent) => Promise<any>} ask
 *
 * What anywidget hands over, as far as it is used here.
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {(content: unknown) => void} send
 * @property {(name: string, callback: (...given: any[]) => void) => void} on
 *
 * @typedef {{exports: any, render: (options: {el: HTMLElement, signal?: AbortSignal}) => Promise<void>}} Child
 * @typedef {{getWidget: (ref: string) => Promise<Child>}} Host
 */

export {};
