import type { types } from '@slack/bolt'
import { z } from 'zod'
import { action, deleteMenu } from '../slack/blocks/action.ts'
import { LIMITS, plain } from '../slack/blocks/blocks.ts'
import { type AlertRecord, isMuted } from '../store/alerts.ts'
import type { EpochMs } from '../util/units.ts'

/** For a workspace. */
export const MOST_ALERTS = 50

const page = z.number().int().min(1).max(MOST_ALERTS)
/** An alert, and the page of the list that the button is in; 1 where it is in none. */
const ofAlert = z.strictObject({ id: z.string().max(40), page })
export type OfAlert = z.infer<typeof ofAlert>
/** For an hour, or until the next day begins in the channel's time zone. */
const muteLength = z.enum(['hour', 'day'])
export type MuteLength = z.infer<typeof muteLength>

/** What can be done about an alert, in the list and on the home tab. */
export const alertActions = {
  pause: action('calls.alert.pause', ofAlert),
  resume: action('calls.alert.resume', ofAlert),
  takeOver: action('calls.alert.take-over', ofAlert),
  mute: action('calls.alert.mute', ofAlert.extend({ for: muteLength })),
  unmute: action('calls.alert.unmute', ofAlert),
  delete: action('calls.alert.delete', ofAlert),
}

/** What opens the form. */
export const alertFormActions = {
  /** Without a page: it is in no list. */
  new: action('calls.alert.new', z.strictObject({ page: page.optional() })),
  edit: action('calls.alert.edit', ofAlert),
}

export const alertPages = { page: action('calls.alerts.page.', z.strictObject({ page })) }

/** @param page of the list; 1 where it is in none */
export function alertButtons(alert: AlertRecord, now: EpochMs, page = 1): types.ActionsBlock {
  const { pause, resume, mute, unmute } = alertActions
  const value = { id: alert.id, page }
  // It has its name on it: what it offers is all of one kind.
  const muteMenu: types.StaticSelect = {
    type: 'static_select',
    action_id: mute.id,
    placeholder: plain('Mute…', LIMITS.placeholder),
    options: [
      mute.option('Mute for an hour', { ...value, for: 'hour' }),
      mute.option('Mute until tomorrow', { ...value, for: 'day' }),
    ],
  }
  const elements = [
    alertFormActions.edit.button('Edit', value),
    alert.isPaused ? resume.button('Resume', value) : pause.button('Pause', value),
    // What is paused says nothing anyway.
    ...(alert.isPaused ? [] : [isMuted(alert, now) ? unmute.button('Unmute', value) : muteMenu]),
    deleteMenu(alertActions.delete, value, {
      what: 'alert',
      consequence: "It won't post missed calls there any more.",
    }),
  ]
  return { type: 'actions', elements }
}
