import type { types } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import type { Milliseconds } from '../../util/units.ts'
import { late, within } from '../../util/within.ts'
import type { Installation } from '../api/installations.ts'
import { askSlack, SlackUnavailableError } from '../api/web-api.ts'
import { VIEWS } from '../blocks/action-ids.ts'
import { section } from '../blocks/blocks.ts'
import { modal } from '../blocks/inputs.ts'
import type { Answer } from './answer.ts'

/** Something to read where a form has no place yet, or no more. */
export const noticeModal = (mrkdwn: string, { title = 'Callboard', close = 'Close' } = {}): types.ModalView =>
  modal({ id: VIEWS.notice, title, close, blocks: [section(mrkdwn)] })

/** Opens where what was asked for is not ready soon. */
export const waitingModal = noticeModal('One moment…', { close: 'Cancel' })

/** A `trigger_id` lives 3 s from the click, of which Slack and the network had their part. */
const openWithinMs: Milliseconds = 700
/** Of the same 3 s, as long as it may take to need no words. */
const tellWithinMs: Milliseconds = 1200

/** Where a modal opens. */
export interface ModalTarget {
  readonly installation: () => Promise<Installation>
  readonly triggerId: string
}

export class Modals {
  readonly #views: WebClient['views']

  constructor({ views }: WebClient) {
    this.#views = views
  }

  /** @throws {SlackUnavailableError | TokenRefusedError} */
  async update({ botToken }: Installation, viewId: string, view: types.ModalView): Promise<void> {
    await askSlack('views.update', this.#views.update({ token: botToken, view_id: viewId, view }))
  }

  /**
   * Opens the view once it is ready; where that takes longer than 0.7 s, a modal that says so opens at once and turns
   * into the view, or into the text for what went wrong.
   * @throws whatever `work` rejects with, as long as nothing was opened; {SlackUnavailableError | TokenRefusedError}
   */
  async open(
    target: ModalTarget,
    work: Promise<types.ModalView>,
    textFor: (error: unknown) => string,
  ): Promise<void> {
    const view = await within(work, openWithinMs)
    if (view !== late) {
      await this.#openNow(target, view)
      return
    }
    const finished = work.catch((error: unknown) => noticeModal(textFor(error)))
    const { view: opened } = await this.#openNow(target, waitingModal)
    if (opened?.id === undefined) throw new SlackUnavailableError('Slack: views.open told no id')
    await this.update(await target.installation(), opened.id, await finished)
  }

  /**
   * A click in a modal or on the home tab has no message to answer on: what there is to say is said in a modal.
   * @param work rejects never
   * @param isCertain whether there will be something to say: then the home tab's modal opens before it is known, while
   *   the trigger lives
   */
  async answerClick(
    { id, type }: { readonly id: string; readonly type: string },
    target: ModalTarget,
    work: Promise<Answer | undefined>,
    isCertain: boolean,
  ): Promise<void> {
    if (type !== 'modal' && isCertain) return this.#openNotice(target, work)
    const answer = await work
    if (!answer) return
    if (type !== 'modal') return this.#openNotice(target, Promise.resolve(answer))
    await this.update(await target.installation(), id, noticeModal(answer.message.text))
  }

  /**
   * For what shows elsewhere that it is done: a modal tells what else became of it, or opens while its trigger lives, where
   * that takes longer than a second.
   * @param outcome rejects never
   */
  async tellIfSlow(
    target: ModalTarget,
    outcome: Promise<string>,
    { text, waiting }: { readonly text: string; readonly waiting: string },
  ): Promise<void> {
    const soon = await within(outcome, tellWithinMs)
    if (soon === text) return
    const view = await this.#openNow(target, noticeModal(soon === late ? waiting : soon))
    if (soon !== late) return
    if (view.view?.id === undefined) throw new SlackUnavailableError('Slack: views.open told no id')
    await this.update(await target.installation(), view.view.id, noticeModal(await outcome))
  }

  #openNotice(target: ModalTarget, work: Promise<Answer | undefined>): Promise<void> {
    const notice = work.then((answer) => noticeModal(answer?.message.text ?? 'Done.'))
    return this.open(target, notice, () => 'Something went wrong.')
  }

  async #openNow({ installation, triggerId }: ModalTarget, view: types.ModalView) {
    const { botToken } = await installation()
    return askSlack('views.open', this.#views.open({ token: botToken, trigger_id: triggerId, view }))
  }
}
