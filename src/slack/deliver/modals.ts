import type { types } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import type { Log } from '../../log.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import type { Milliseconds } from '../../util/units.ts'
import type { Actor } from '../access/guards.ts'
import type { Installation } from '../api/installations.ts'
import { askSlack, SlackUnavailableError, TokenRefusedError } from '../api/web-api.ts'
import { type Block, type Message, section } from '../blocks/blocks.ts'
import { modal, noticeId } from '../blocks/inputs.ts'
import type { ViewOrigin } from '../blocks/values.ts'
import type { Answer, MakeAnswer, OnProgress } from './answer.ts'
import type { Clicks } from './clicks.ts'

/** Something to read where a form has no place yet, or no more. */
export const noticeModal = (mrkdwn: string, { title = 'Callboard' } = {}): types.ModalView =>
  modal({ id: noticeId, title, blocks: [section(mrkdwn)] })

export const waitingText = 'One moment…'

/** A message's blocks where a modal takes them all: it has no place for tables and charts. */
export function blocksForModal({ blocks = [] }: Message): Block[] | undefined {
  const taken = blocks.flatMap((one) =>
    one.type === 'data_visualization' || one.type === 'table' ? [] : [one],
  )
  return taken.length === blocks.length && taken.length > 0 ? taken : undefined
}

/** An answer in a modal: the best of its forms that one takes, whose buttons work there as in a message. */
export function answerModal({ message, otherwise = [] }: Answer, origin: ViewOrigin): types.ModalView {
  for (const make of [() => message, ...otherwise]) {
    const blocks = blocksForModal(make())
    if (blocks) return modal({ id: noticeId, origin, title: 'Callboard', blocks })
  }
  return noticeModal(message.text)
}

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

  async update({ botToken }: Installation, viewId: string, view: types.ModalView): Promise<void> {
    await askSlack('views.update', this.#views.update({ token: botToken, view_id: viewId, view }))
  }

  /**
   * The same where that is not worth an apology: somebody may have closed it, and in the place of a form one would take away
   * what was entered.
   */
  async tryUpdate(installation: Installation, viewId: string, view: types.ModalView): Promise<void> {
    try {
      await this.update(installation, viewId, view)
    } catch (error) {
      if (!(error instanceof SlackUnavailableError || error instanceof TokenRefusedError)) throw error
      this.#log.warn({ err: error }, 'a modal was not shown anew')
    }
  }

  /**
   * Shows a form anew after a choice in it; of several choices the latest one's form is what stays. (With the `hash` of the
   * view, of two quick ones it would be the first that reaches Slack.)
   * @param work makes the form; @throws whatever it rejects with
   */
  async redraw(
    { installation, team, tenant, person }: Actor,
    { viewId, actionTs }: { readonly viewId: string; readonly actionTs: string },
    work: () => Promise<types.ModalView>,
  ): Promise<void> {
    const click = { actionTs, message: viewId, team, tenant, channel: '', user: person.id }
    if (!this.#clicks.markNewest(click)) return
    const view = await work()
    await this.#clicks.inOrder(click, () => this.tryUpdate(installation, viewId, view))
  }

  /**
   * Opens the view once it is ready; where that takes longer than 0.7 s, a modal that says so opens at once, shows the
   * progress, and turns into the view, or into the one for what went wrong.
   * @returns what there is to answer where nothing was opened
   * @throws whatever `work` rejects with, as long as nothing was opened; {SlackUnavailableError | TokenRefusedError}
   */
  async open(
    target: ModalTarget,
    work: (onProgress: OnProgress) => Promise<types.ModalView | Answer>,
    viewFor = (_error: unknown): types.ModalView => noticeModal('Something went wrong.'),
  ): Promise<Answer | undefined> {
    let latest = waitingText
    let progress = Promise.withResolvers<void>()
    const working = work((mrkdwn) => {
      latest = mrkdwn
      progress.resolve()
    })
    const soon = await withTimeout(working, this.#openWithinMs)
    if (soon !== timedOut) {
      if ('message' in soon) return soon
      await this.#show(target, soon)
      return undefined
    }
    const finished = working
      .then((made) => ('message' in made ? answerModal(made, target) : made))
      .catch(viewFor)
    progress = Promise.withResolvers()
    const modalId = await this.#show(target, noticeModal(latest))
    const next = () => Promise.race([finished, progress.promise])
    for (let view = await next(); ; view = await next()) {
      if (view) {
        await this.#show({ ...target, modalId }, view)
        return undefined
      }
      progress = Promise.withResolvers()
      // Where it fails, so does the view that follows, which says so.
      await this.#show({ ...target, modalId }, noticeModal(latest)).catch(() => {})
    }
  }

  /**
   * A click in a modal or on the home tab has no message to answer on, nor has a form that was opened there: the answer is
   * shown in a modal.
   * @param make rejects never
   * @param isCertain whether there will be something to say: then a modal says that it is on its way, and how far it is
   */
  async answer(target: ModalTarget, make: MakeAnswer, isCertain: boolean): Promise<void> {
    let answer: Answer | undefined
    const viewOf = async (onProgress: OnProgress) => {
      answer = await make(onProgress)
      return answer && answerModal(answer, target)
    }
    try {
      if (isCertain)
        await this.open(target, async (onProgress) => (await viewOf(onProgress)) ?? noticeModal('Done.'))
      else {
        const view = await viewOf(() => {})
        if (view) await this.#show(target, view)
      }
    } finally {
      await answer?.afterwards?.()
    }
  }

  async #show({ installation, triggerId, modalId }: ModalTarget, view: types.ModalView): Promise<string> {
    const own = await installation()
    if (modalId !== undefined) {
      await this.update(own, modalId, view)
      return modalId
    }
    const opening = this.#views.open({ token: own.botToken, trigger_id: triggerId, view })
    const { view: opened } = await askSlack('views.open', opening)
    if (opened?.id === undefined) throw new SlackUnavailableError('Slack: views.open gave no id')
    return opened.id
  }
}
