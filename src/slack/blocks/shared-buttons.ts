import { action } from './actions.ts'
import { commandButton } from './command-button.ts'

// Actions whose buttons one feature shows, and another one handles.

export const settingsAction = action('billing.settings')

export const connectAction = action('setup.connect')
export const connectButton = connectAction.button('Connect…', undefined, 'primary')
export const replaceKeyButton = connectAction.button('Replace key…', undefined, 'primary')

export const showCallsButton = commandButton('show-calls', 'Show calls', '/calls')
