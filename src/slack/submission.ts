import type { types, ViewResponseAction } from '@slack/bolt'
import type { Installation } from './installations.ts'
import type { Modals } from './modals.ts'
import { late, within } from './within.ts'

/** How long work may take and still be answered in the acknowledgement; Slack waits for 3 s. */
const inAckMs = 2000

export interface SubmissionWork {
  readonly ack: (answer?: ViewResponseAction) => Promise<void>
  readonly modals: Modals
  readonly installation: Installation
  readonly viewId: string
  /** Shown in the meantime where it takes longer. */
  readonly waiting: types.ModalView
  /** For work that fails after the acknowledgement. */
  readonly sorry: (error: unknown) => types.ModalView
}

export const update = (view: types.ModalView): ViewResponseAction => ({ response_action: 'update', view })

/**
 * Answers a submission with what the work comes to: within 2 s in the acknowledgement, by `inTime`; afterwards the modal
 * turns to `waiting` and then to what `view` makes of it. Rejects where the work does, as long as nothing was acknowledged.
 */
export async function answerSubmission<T>(
  { ack, modals, installation, viewId, waiting, sorry }: SubmissionWork,
  work: Promise<T>,
  { inTime, view }: { inTime: (result: T) => ViewResponseAction; view: (result: T) => types.ModalView },
): Promise<void> {
  const done = await within(work, inAckMs)
  if (done !== late) return ack(inTime(done))
  const finished = work.then(view).catch(sorry)
  await ack(update(waiting))
  await modals.update(installation, viewId, await finished)
}
