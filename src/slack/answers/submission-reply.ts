import type { types, ViewResponseAction } from '@slack/bolt'
import type { Log } from '../../log.ts'
import type { Milliseconds } from '../../util/units.ts'
import { late, within } from '../../util/within.ts'
import type { Installation } from '../api/installations.ts'
import type { Modals } from './modals.ts'

/** How long work may take and still be answered in the acknowledgement; Slack waits for 3 s. */
const acknowledgeWithinMs: Milliseconds = 2000

/** A submission's work that may outlast its acknowledgement. */
export interface SlowWork<T> {
  readonly work: Promise<T>
  /** What acknowledges it where it is done in time. */
  readonly inTime: (result: T) => ViewResponseAction
  /** Shown in the meantime where it is not. */
  readonly waiting: types.ModalView
  /** What the modal turns to then. */
  readonly view: (result: T) => types.ModalView
  /** Where it fails after the acknowledgement: for the log, and for the person. */
  readonly failed: { readonly note: string; readonly view: types.ModalView }
}

/** Acknowledges with another view in the modal's place. */
export const update = (view: types.ModalView): ViewResponseAction => ({ response_action: 'update', view })

/** Acknowledges with an error below each of these inputs, by their block ids. */
export const fieldErrors = (errors: Readonly<Record<string, string>>): ViewResponseAction => ({
  response_action: 'errors',
  errors: { ...errors },
})

/** How one submission of a modal is acknowledged: once, within 3 s. */
export class SubmissionReply {
  readonly #services
  #isAcknowledged = false

  constructor(services: {
    ack: (answer?: ViewResponseAction) => Promise<void>
    modals: Modals
    log: Pick<Log, 'error'>
  }) {
    this.#services = services
  }

  get isAcknowledged(): boolean {
    return this.#isAcknowledged
  }

  /** A message for the person has no place in it. */
  async ack(answer?: ViewResponseAction): Promise<void> {
    this.#isAcknowledged = true
    await this.#services.ack(answer)
  }

  /**
   * Acknowledges with what the work comes to within 2 s; where it takes longer, with a view that says so, which turns
   * into the result.
   * @throws whatever the work rejects with, as long as nothing was acknowledged; {SlackUnavailableError}
   */
  async slowly<T>(installation: Installation, viewId: string, slow: SlowWork<T>): Promise<void> {
    const result = await within(slow.work, acknowledgeWithinMs)
    if (result !== late) return this.ack(slow.inTime(result))
    const finished = slow.work.then(slow.view).catch((error: unknown) => {
      this.#services.log.error({ err: error }, slow.failed.note)
      return slow.failed.view
    })
    await this.ack(update(slow.waiting))
    await this.#services.modals.update(installation, viewId, await finished)
  }
}
