import { z } from 'zod'
import { alertMessageIdSchema } from '../../query/query.ts'
import { action, MenuAction } from '../../slack/blocks/actions.ts'

/** Calls of a message: all, or those of one line. `id` is the message's. */
const chosenCallsSchema = z.strictObject({
  id: alertMessageIdSchema,
  line: z.string().max(40).optional(),
})
export type ChosenCalls = z.infer<typeof chosenCallsSchema>

/** `at` is the time of the action to undo. Calls that were changed since stay as they are. */
const undoSchema = chosenCallsSchema.extend({ at: z.number() })

export const messageActions = {
  take: action('alert.take', chosenCallsSchema),
  /** Takes the calls of one line. Each button adds its number to the id. */
  takeLine: action('alert.take-line.', chosenCallsSchema),
  done: action('alert.done', chosenCallsSchema),
  /** Below the announcement that someone released or assigned calls. */
  undo: action('alert.undo', undoSchema),
}

/** `id` is the message's. `at` is the time of the latest change that it shows. */
export const alertMenuSchema = z.strictObject({ id: alertMessageIdSchema, at: z.number() })
export type AlertMenuValue = z.infer<typeof alertMenuSchema>

/** Menu of a message. Its entries are grouped by the module that handles them. */
export const alertMenu = new MenuAction('alert.menu', alertMenuSchema)

/** List the calls of a message. `alert` is the message's id, which posted buttons store by this name. */
export const showCallsActions = {
  show: action('alert.show', z.strictObject({ alert: alertMessageIdSchema })),
  showEntry: alertMenu.entry('show'),
}

export const callMenuEntries = {
  assign: alertMenu.entry('assign'),
  release: alertMenu.entry('release'),
  reopen: alertMenu.entry('reopen'),
}

export const alertMenuEntries = {
  muteHour: alertMenu.entry('mute-hour'),
  muteDay: alertMenu.entry('mute-day'),
  edit: alertMenu.entry('edit'),
}

/** `alert` is the id of the alert itself. */
const chosenAlertSchema = z.strictObject({ alert: z.string().min(1).max(40) })

/** Shown below the announcement that someone muted an alert or turned it on. */
export const muteActions = {
  mute: action('alert.mute', chosenAlertSchema),
  turnOn: action('alert.turn-on', chosenAlertSchema),
}

/** Page of the list of open calls. `open` shows waiting and taken ones. */
const pageSchema = z.strictObject({
  page: z.int().min(1).max(1000),
  view: z.enum(['open', 'taken', 'mine']),
})
export type OpenPage = z.infer<typeof pageSchema>

/** Calls of a row, and the page to return to. `person` is the id of who has the calls; undefined if they wait. */
const rowSchema = pageSchema.extend({ ...chosenCallsSchema.shape, person: z.string().max(40).optional() })
export type OpenRow = z.infer<typeof rowSchema>

export const openActions = {
  show: action('calls.open'),
  page: action('calls.open.page.', pageSchema),
  take: action('calls.open.take', rowSchema),
  done: action('calls.open.done', rowSchema),
  release: action('calls.open.release', rowSchema),
}
