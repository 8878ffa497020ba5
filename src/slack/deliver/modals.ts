import type { types } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import type { Log } from '../../log.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import type { Milliseconds } from '../../util/units.ts'
import type { Actor } from '../access/guards.ts'
import type { Installation } from '../access/installations.ts'
import { askSlack, SlackUnavailableError, TokenRefusedError } from '../api/web-api.ts'
import { type Block, type MessageBlock, section } from '../blocks/blocks.ts'
import { modal, noticeId } from '../blocks/modal.ts'
import type { ViewOrigin } from '../blocks/view-metadata.ts'
import type { ActionPayload, ViewPayload } from '../inbound/payloads.ts'
import {
  type Answer,
  begin,
  type Clicks,
  type MakeAnswer,
  type MessageForms,
  type OnProgress,
  textAnswer,
} from './replies.ts'

export const noticeModal = (mrkdwn: string, { title = 'Callboard' } = {}): types.ModalView =>
  modal({ id: noticeId, title, blocks: [section(mrkdwn)] })

export const waitingText = 'One moment…'

/** Picks the best variant for a modal: tables and charts only work in messages. */
export function modalBlocks({ message, otherwise = [] }: MessageForms): Block[] | undefined {
  const isAccepted = (block: MessageBlock): block is Block =>
    block.type !== 'data_visualization' && block.type !== 'table'
  for (const make of [() => message, ...otherwise]) {
    const { blocks = [] } = make()
    if (blocks.length > 0 && blocks.every(isAccepted)) return blocks
  }
  return undefined
}

export function answerModal(answer: Answer, origin: ViewOrigin): types.ModalView {
  const blocks = modalBlocks(answer)
  return blocks
    ? modal({ id: noticeId, origin, title: 'Callboard', blocks })
    : noticeModal(answer.message.text)
}

export interface ModalTarget extends ViewOrigin {
  readonly installation: () => Promise<Installation>
  readonly triggerId: string
  readonly modalId?: string | undefined
}

export class Modals {
  readonly #services

  constructor(services: {
    webApi: WebClient
    clicks: Clicks
    log: Pick<Log, 'warn'>
    /** A `trigger_id` expires 3 s after the click. */
    openWithinMs?: Milliseconds | undefined
  }) {
    this.#services = services
  }

  async update({ botToken }: Installation, viewId: string, view: types.ModalView): Promise<void> {
    await askSlack(
      'views.update',
      this.#services.webApi.views.update({ token: botToken, view_id: viewId, view }),
    )
  }

  async tryUpdate(installation: Installation, viewId: string, view: types.ModalView): Promise<void> {
    try {
      await this.update(installation, viewId, view)
    } catch (error) {
      if (!(error instanceof SlackUnavailableError || error instanceof TokenRefusedError)) throw error
      this.#services.log.warn({ err: error }, 'a modal was not updated')
    }
  }

  /** Sends no `hash`: with it, the first of several choices to reach Slack would win. */
  async redraw(
    { installation, team, tenant, person }: Actor,
    { view: before, action_ts: actionTs }: Pick<ActionPayload, 'view' | 'action_ts'>,
    make: (before: ViewPayload) => Promise<types.ModalView>,
  ): Promise<undefined> {
    if (!before) return
    const click = { actionTs, message: before.id, team, tenant, channel: '', user: person.id }
    if (!this.#services.clicks.markNewest(click)) return
    const view = await make(before)
    await this.#services.clicks.inOrder(click, () => this.tryUpdate(installation, before.id, view))
  }

  /**
   * If the view takes longer than 0.7 s, opens a waiting modal, which the announcement and then the view replace.
   * @param work must not reject @returns an answer to deliver if nothing was opened
   * @throws {SlackUnavailableError | TokenRefusedError}
   */
  async open(
    target: ModalTarget,
    work: (onProgress: OnProgress) => Promise<types.ModalView | Answer>,
  ): Promise<Answer | undefined> {
    const { openWithinMs = 700 } = this.#services
    const { making, notice } = begin(work)
    const soon = await withTimeout(making, openWithinMs)
    if (soon !== timedOut) {
      if ('message' in soon) return soon
      await this.#show(target, soon)
      return undefined
    }
    const modalId = await this.#show(target, noticeModal(waitingText))
    const announced = await notice
    // If this fails, the view fails alike and reports it.
    if (announced) await this.#show({ ...target, modalId }, answerModal(announced, target)).catch(() => {})
    const made = await making
    await this.#show({ ...target, modalId }, 'message' in made ? answerModal(made, target) : made)
    return undefined
  }

  /** @param make must not reject @param isCertain whether an answer will follow: only then a waiting modal opens */
  async answer(target: ModalTarget, make: MakeAnswer, isCertain: boolean): Promise<void> {
    let answer: Answer | undefined
    const work = async (onProgress: OnProgress) => {
      answer = await make(onProgress)
      return answer ?? textAnswer('Done.')
    }
    try {
      const soon = isCertain ? await this.open(target, work) : await make(() => {})
      answer ??= soon
      if (soon) await this.#show(target, answerModal(soon, target))
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
    const opening = this.#services.webApi.views.open({ token: own.botToken, trigger_id: triggerId, view })
    const { view: opened } = await askSlack('views.open', opening)
    if (opened?.id === undefined) throw new SlackUnavailableError('Slack: views.open returned no id')
    return opened.id
  }
}
