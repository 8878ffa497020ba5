export { checkMessage, MESSAGE_LIMITS, type MessageLimits } from './message.ts'
export { checkOptions } from './options.ts'
export { checkView } from './view.ts'
export { toSlackMessages, type Violation } from './violations.ts'
