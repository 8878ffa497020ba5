import type { types } from '@slack/bolt'
import { z } from 'zod'
import { type AlertRecord, isMuted } from '../../store/alerts.ts'
import type { EpochMs } from '../../util/units.ts'
import { ACTIONS } from './action-ids.ts'
import { button, LIMITS, plain } from './blocks.ts'
import { deleteMenu } from './delete-menu.ts'
import { option } from './inputs.ts'
import { readValue } from './values.ts'

/** For a workspace. */
export const MOST_ALERTS = 50

/** For how long an alert is muted: for an hour, or until the next day begins in the channel's time zone. */
export type MuteLength = 'hour' | 'day'

const pageNumber = z.number().int().min(1).max(MOST_ALERTS)
const alertButton = z.strictObject({
  id: z.string().max(40),
  /** Of the list that the button is in; 1 where it is in none. */
  page: pageNumber,
  for: z.enum(['hour', 'day']).optional(),
})

/** The alert that a button or a menu is for. @throws {ForgedValueError} */
export const readAlertButton = (value: string | undefined): z.infer<typeof alertButton> =>
  readValue(alertButton, value, 'an alert')

/** @throws {ForgedValueError} */
export const readAlertsPage = (value: string | undefined): number =>
  readValue(z.strictObject({ page: pageNumber }), value, 'a page of alerts').page

/** The page of the list that New alert… is in; none: it is in no list. @throws {ForgedValueError} */
export const readNewAlert = (value: string | undefined): number | undefined =>
  value?.startsWith('{') ? readAlertsPage(value) : undefined

/** A menu that has its name on it: what it offers is all of one kind. */
const muteMenu = (written: (length: MuteLength) => string): types.StaticSelect => ({
  type: 'static_select',
  action_id: ACTIONS.alertMute,
  placeholder: plain('Mute…', LIMITS.placeholder),
  options: [option('Mute for an hour', written('hour')), option('Mute until tomorrow', written('day'))],
})

/** What a button carries of the alert that it is for. @param page of the list; 1 where it is in none */
export const alertValue = ({ id }: Pick<AlertRecord, 'id'>, page = 1): string => JSON.stringify({ id, page })

/** What can be done about an alert, in the list and on the home tab. @param page of the list; 1 where it is in none */
export function alertButtons(alert: AlertRecord, now: EpochMs, page = 1): types.ActionsBlock {
  const written = (length: MuteLength) => JSON.stringify({ id: alert.id, page, for: length })
  const value = alertValue(alert, page)
  const mute = isMuted(alert, now) ? button(ACTIONS.alertUnmute, 'Unmute', value) : muteMenu(written)
  const elements = [
    button(ACTIONS.alertEdit, 'Edit', value),
    alert.isPaused
      ? button(ACTIONS.alertResume, 'Resume', value)
      : button(ACTIONS.alertPause, 'Pause', value),
    // What is paused says nothing anyway.
    ...(alert.isPaused ? [] : [mute]),
    deleteMenu({
      action: ACTIONS.alertDelete,
      value,
      what: 'alert',
      consequence: "It won't post missed calls there any more.",
    }),
  ]
  return { type: 'actions', elements }
}
