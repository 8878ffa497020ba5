import { FileRefusedError } from '../../../slack/api/files.ts'
import type { Message } from '../../../slack/blocks/blocks.ts'
import { describeFailure, fileRefusal } from '../../../slack/deliver/failures.ts'
import { ScanInterruptedError } from '../../../telephony/errors.ts'
import { ExportEndedError } from './watch.ts'
import {
  cancelledMessage,
  type ExportAgain,
  type Exported,
  failedMessage,
  stoppedAfterText,
  tooManyText,
  tooSlowText,
} from './words.ts'

/** What became of an export. */
export interface ExportOutcome {
  /** For logs and metrics. */
  readonly name: string
  /** In place of its progress. */
  readonly message: Message
}

export interface FailureSetting {
  readonly exported: Exported
  readonly again: ExportAgain
  /** How many calls were read. */
  readonly read: number
  /** Stands in the log with the error. */
  readonly reference: string
  /** Where the app can be installed anew; none with one workspace's token. */
  readonly installUrl: string | undefined
  readonly supportUrl: string | undefined
}

/** What went wrong, for the person who asked. */
export function failureOutcome(error: unknown, setting: FailureSetting): ExportOutcome {
  const { exported, again, read, reference, installUrl, supportUrl } = setting
  const failed = (name: string, why: string, offers?: 'again' | 'dates'): ExportOutcome => ({
    name,
    message: failedMessage(exported, again, { why, offers }),
  })
  if (error instanceof ExportEndedError) {
    const { why } = error
    if (why === 'cancelled') return { name: why, message: cancelledMessage(exported) }
    return failed(why, why === 'too-slow' ? tooSlowText : tooManyText, 'dates')
  }
  if (error instanceof FileRefusedError)
    return failed(error.code, fileRefusal(error.code, installUrl), 'again')
  const cause = error instanceof ScanInterruptedError ? error.cause : error
  const { kind, text, offers } = describeFailure(cause, { isAdmin: false, reference, supportUrl })
  const soFar = read > 0 && cause !== error ? `${stoppedAfterText(read)} ` : ''
  return failed(kind, `${soFar}${text}`, offers === 'retry' ? 'again' : undefined)
}
