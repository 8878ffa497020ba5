import type { types, ViewResponseAction } from '@slack/bolt'
import type { Log } from '../../log.ts'
import { late, within } from '../../util/within.ts'
import type { Installation } from '../api/installations.ts'
import type { Modals } from './modals.ts'

/** How long work may take and still be answered in the acknowledgement; Slack waits for 3 s. */
const inAckMs = 2000

/** A submission's work that may outlast its acknowledgement. */
export interface SlowWork<T> {
  readonly work: Promise<T>
  /** Where it is done in time. */
  readonly inTime: (result: T) => ViewResponseAction
  /** Shown in the meantime where it is not. */
  readonly waiting: types.ModalView
  /** What the modal turns to then. */
  readonly view: (result: T) => types.ModalView
  /** Where it fails after the acknowledgement: for the log, and for the person. */
  readonly failed: { readonly note: string; readonly view: types.ModalView }
}

export const update = (view: types.ModalView): ViewResponseAction => ({ response_action: 'update', view })

/**
 * Answers a submission with what its work comes to: within 2 s in the acknowledgement, afterwards in the modal. Rejects
 * where the work does, as long as nothing was acknowledged.
 */
export type AnswerSubmission = <T>(
  to: {
    readonly ack: (answer: ViewResponseAction) => Promise<void>
    readonly installation: Installation
    readonly viewId: string
  },
  slow: SlowWork<T>,
) => Promise<void>

export function createAnswerSubmission({ modals, log }: { modals: Modals; log: Log }): AnswerSubmission {
  return async ({ ack, installation, viewId }, { work, inTime, waiting, view, failed }) => {
    const done = await within(work, inAckMs)
    if (done !== late) return ack(inTime(done))
    const finished = work.then(view).catch((error: unknown) => {
      log.error({ err: error }, failed.note)
      return failed.view
    })
    await ack(update(waiting))
    await modals.update(installation, viewId, await finished)
  }
}
