import type { types } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import type { Log } from '../../log.ts'
import type { Milliseconds } from '../../util/units.ts'
import { timedOut, withTimeout } from '../../util/with-timeout.ts'
import type { Actor } from '../access/guards.ts'
import type { Installation } from '../api/installations.ts'
import { askSlack, SlackUnavailableError, TokenRefusedError } from '../api/web-api.ts'
import { VIEWS } from '../blocks/action-ids.ts'
import { section } from '../blocks/blocks.ts'
import { modal } from '../blocks/inputs.ts'
import { type ViewOrigin, writeOrigin } from '../blocks/values.ts'
import type { Answer, Tell } from './answer.ts'
import type { Clicks } from './clicks.ts'

/** Something to read where a form has no place yet, or no more. */
export const noticeModal = (mrkdwn: string, { title = 'Callboard', close = 'Close' } = {}): types.ModalView =>
  modal({ id: VIEWS.notice, title, close, blocks: [section(mrkdwn)] })

/** What stands in a modal until what was asked for is ready, such as how far it is. */
const waitingWith = (mrkdwn: string) => noticeModal(mrkdwn, { close: 'Cancel' })

const waitingText = 'One moment…'

/** Opens where what was asked for is not ready soon. */
export const waitingModal = waitingWith(waitingText)

/** An answer in a modal, with the buttons that work there. */
export function answerModal(
  { message, blocksInModal }: Answer,
  { team, channel }: ViewOrigin,
): types.ModalView {
  const notice = noticeModal(message.text)
  if (!blocksInModal) return notice
  return { ...notice, private_metadata: writeOrigin(team, channel), blocks: blocksInModal }
}

/** Of the 3 s that a `trigger_id` lives, as long as what a modal says elsewhere may take to need no modal. */
const tellWithinMs: Milliseconds = 1200

/** Where a modal opens, or which modal's place it takes. */
export interface ModalTarget extends ViewOrigin {
  readonly installation: () => Promise<Installation>
  readonly triggerId: string
  readonly modalId?: string | undefined
}

export class Modals {
  readonly #views: WebClient['views']
  readonly #clicks: Clicks
  readonly #log: Pick<Log, 'warn'>
  /** A `trigger_id` lives 3 s from the click, of which Slack and the network had their part. */
  readonly #openWithinMs: Milliseconds

  constructor(services: {
    webApi: WebClient
    clicks: Clicks
    log: Pick<Log, 'warn'>
    openWithinMs?: Milliseconds | undefined
  }) {
    this.#views = services.webApi.views
    this.#clicks = services.clicks
    this.#log = services.log
    this.#openWithinMs = services.openWithinMs ?? 700
  }

  /** @throws {SlackUnavailableError | TokenRefusedError} */
  async update({ botToken }: Installation, viewId: string, view: types.ModalView): Promise<void> {
    await askSlack('views.update', this.#views.update({ token: botToken, view_id: viewId, view }))
  }

  /**
   * Shows a form anew after a choice in it; of several choices the latest one's form is what stays. (With the `hash` of the
   * view, of two quick ones it would be the first that reaches Slack.) Where Slack fails, the form stays as it is: an
   * apology in its place would take away what was entered.
   * @param work makes the form; @throws whatever it rejects with
   */
  async redraw(
    { installation, team, tenant, person }: Actor,
    { viewId, actionTs }: { readonly viewId: string; readonly actionTs: string },
    work: () => Promise<types.ModalView>,
  ): Promise<void> {
    const click = { actionTs, message: viewId, team, tenant, channel: '', user: person.id }
    if (!this.#clicks.isNewest(click)) return
    const view = await work()
    try {
      await this.#clicks.inOrder(click, () => this.update(installation, viewId, view))
    } catch (error) {
      if (!(error instanceof SlackUnavailableError || error instanceof TokenRefusedError)) throw error
      this.#log.warn({ err: error }, 'a form was not shown anew')
    }
  }

  /**
   * Opens the view once it is ready; where that takes longer than 0.7 s, a modal that says so opens at once, shows what is
   * told meanwhile, and turns into the view, or into the one for what went wrong.
   * @throws whatever `work` rejects with, as long as nothing was opened; {SlackUnavailableError | TokenRefusedError}
   */
  async open(
    target: ModalTarget,
    work: (tell: Tell) => Promise<types.ModalView>,
    viewFor: (error: unknown) => types.ModalView,
  ): Promise<void> {
    let [told, shown] = [waitingText, waitingText]
    let show: ((view: types.ModalView) => Promise<void>) | undefined
    let updating: Promise<void> | undefined
    // One update at a time, of the latest that was told.
    const update = () => {
      if (!show || updating || told === shown) return
      shown = told
      const next = () => {
        updating = undefined
        update()
      }
      // Where it fails, so does the view that follows, which tells of it.
      updating = show(waitingWith(told)).then(next, next)
    }
    const working = work((mrkdwn) => {
      told = mrkdwn
      update()
    })
    const view = await withTimeout(working, this.#openWithinMs)
    if (view !== timedOut) {
      await this.#openNow(target, view)
      return
    }
    const finished = working.catch(viewFor)
    shown = told
    const id = await this.#openNow(target, waitingWith(shown))
    const showInIt = async (next: types.ModalView) => this.update(await target.installation(), id, next)
    show = showInIt
    update()
    const last = await finished
    show = undefined
    await updating
    await showInIt(last)
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
    if (type !== 'modal' && isCertain) return this.openNotice(target, work)
    const answer = await work
    if (!answer) return
    if (type !== 'modal') return this.openNotice(target, Promise.resolve(answer))
    await this.update(await target.installation(), id, answerModal(answer, target))
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
    const soon = await withTimeout(outcome, tellWithinMs)
    if (soon === text) return
    const opened = await this.#openNow(target, noticeModal(soon === timedOut ? waiting : soon))
    if (soon === timedOut) await this.update(await target.installation(), opened, noticeModal(await outcome))
  }

  /** Says in a modal what there is to say. @param work rejects never */
  openNotice(target: ModalTarget, work: Promise<Answer | undefined>): Promise<void> {
    const notice = work.then((answer) => (answer ? answerModal(answer, target) : noticeModal('Done.')))
    return this.open(
      target,
      () => notice,
      () => noticeModal('Something went wrong.'),
    )
  }

  /** @returns the id of what is shown now */
  async #openNow({ installation, triggerId, modalId }: ModalTarget, view: types.ModalView): Promise<string> {
    const own = await installation()
    if (modalId !== undefined) {
      await this.update(own, modalId, view)
      return modalId
    }
    const opening = this.#views.open({ token: own.botToken, trigger_id: triggerId, view })
    const { view: opened } = await askSlack('views.open', opening)
    if (opened?.id === undefined) throw new SlackUnavailableError('Slack: views.open told no id')
    return opened.id
  }
}
