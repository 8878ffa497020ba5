export { checkOptions } from './options.ts'
export { checkSlackbotBlocks } from './slackbot.ts'
export { checkMessage, checkUnfurling, checkView, MESSAGE_LIMITS } from './surfaces.ts'
export { toSlackMessages, type Violation } from './violations.ts'
