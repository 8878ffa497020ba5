import type { types } from '@slack/bolt'
import { z } from 'zod'
import { action } from './action.ts'

// Actions whose buttons one feature shows, and another one handles.

export const settingsAction = action('billing.settings')

/** `replace`: whether the workspace is connected or not. */
export const connectAction = action('setup.connect', z.enum(['connect', 'replace']))

/** Opens the modal that asks for key and secret, unless the workspace was connected in the meantime. */
export const connectButton = (text: string, style?: 'primary'): types.Button =>
  connectAction.button(text, 'connect', style)

export const replaceKeyButton = (style?: 'primary'): types.Button =>
  connectAction.button('Replace key…', 'replace', style)
