import type { types } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import type { Log } from '../../log.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import type { Milliseconds } from '../../util/units.ts'
import type { Guards } from '../access/guards.ts'
import { askSlack, SlackFailure } from '../api/slack-failure.ts'
import { type Block, type MessageBlock, section } from '../blocks/blocks.ts'
import { messageModalId, modal, type ViewOrigin } from '../blocks/modal.ts'
import type { Origin } from '../inbound/payloads.ts'
import { type Answer, doneAnswer, isModal, type MessageVariants, type Reply } from './answers.ts'
import type { ClickSource, Clicks } from './clicks.ts'
import type { Exchange } from './exchange.ts'

export const messageModal = (mrkdwn: string, { title = 'Callboard' } = {}): types.ModalView =>
  modal({ id: messageModalId, title, blocks: [section(mrkdwn)] })

export const waitingText = 'One moment…'

/** Picks the best variant for a modal: tables and charts only work in messages. */
export function modalBlocks({ message, fallbacks = [] }: MessageVariants): Block[] {
  const isAccepted = (block: MessageBlock): block is Block =>
    block.type !== 'data_visualization' && block.type !== 'data_table' && block.type !== 'table'
  for (const make of [() => message, ...fallbacks]) {
    const { blocks = [] } = make()
    if (blocks.length > 0 && blocks.every(isAccepted)) return blocks
  }
  return [section(message.text)]
}

export const answerModal = (answer: Answer, origin: ViewOrigin): types.ModalView =>
  modal({ id: messageModalId, origin, title: 'Callboard', blocks: modalBlocks(answer) })

/** A modal replaces the one with `modalId`; without it, the `trigger_id` opens a new one. */
export interface ModalTarget extends Pick<Origin, 'workspace' | 'channel' | 'triggerId' | 'modalId'> {
  /** Set for a click in a modal: after several clicks, the answer to the latest one stays. */
  readonly click?: ClickSource
}

export class Modals {
  readonly #services

  constructor(services: {
    webApi: WebClient
    guards: Pick<Guards, 'getInstallation'>
    clicks: Clicks
    log: Pick<Log, 'info'>
    /** Wait for a reply before a waiting modal opens: a `trigger_id` expires 3 s after the click. */
    openWithinMs?: Milliseconds | undefined
  }) {
    this.#services = services
  }

  /**
   * Shows a handler's modal. If a slow handler `opensModal`, opens a waiting modal, which the announcement and then the reply
   * replace. @param replying must not reject @returns an answer to deliver if nothing was opened @throws {SlackFailure}
   */
  async showReply(
    exchange: Exchange,
    target: ModalTarget,
    replying: Promise<Reply | undefined>,
    { opensModal = false }: { readonly opensModal?: boolean | undefined },
  ): Promise<Answer | undefined> {
    const { openWithinMs = 700 } = this.#services
    const reply = opensModal ? await withTimeout(replying, openWithinMs) : await replying
    if (reply === timedOut) {
      const modalId = await this.show(exchange, target, messageModal(waitingText))
      await this.replaceWaiting(exchange, { ...target, modalId }, replying)
      return undefined
    }
    if (!isModal(reply)) return reply
    await this.show(exchange, target, reply)
    return undefined
  }

  /** Replaces a waiting modal with the announcement, then with the reply. @throws {SlackFailure} */
  async replaceWaiting(exchange: Exchange, target: ModalTarget, replying: Promise<Reply | undefined>) {
    const announcement = await exchange.waitForAnnouncement(replying)
    // If this fails, the reply fails alike and reports it.
    if (announcement) await this.show(exchange, target, answerModal(announcement, target)).catch(() => {})
    const reply = (await replying) ?? doneAnswer
    await this.show(exchange, target, isModal(reply) ? reply : answerModal(reply, target))
  }

  /** Returns the id of the modal. Someone who closed the modal meanwhile gets no answer. @throws {SlackFailure} */
  async show(exchange: Exchange, target: ModalTarget, view: types.ModalView): Promise<string> {
    const { workspace, triggerId = '', modalId, click } = target
    const { guards, clicks } = this.#services
    // The admitted person's installation still updates a modal after the app was uninstalled.
    const { botToken } = exchange.actor?.installation ?? (await guards.getInstallation(workspace))
    if (modalId === undefined) return this.#open(botToken, triggerId, view)
    const replace = () => this.#replace(botToken, modalId, view)
    if (click) await clicks.runInTurn(click, replace)
    else await replace()
    return modalId
  }

  async #open(token: string, triggerId: string, view: types.ModalView): Promise<string> {
    const opening = this.#services.webApi.views.open({ token, trigger_id: triggerId, view })
    const { view: opened } = await askSlack('views.open', opening)
    if (opened?.id === undefined) throw new SlackFailure('views.open returned no id')
    return opened.id
  }

  /** Sends no `hash`: with it, the first of several choices in a form would win. */
  async #replace(token: string, modalId: string, view: types.ModalView): Promise<void> {
    const { webApi, log } = this.#services
    try {
      await askSlack('views.update', webApi.views.update({ token, view_id: modalId, view }))
    } catch (error) {
      // https://docs.slack.dev/reference/methods/views.update#errors
      const isClosed = error instanceof SlackFailure && error.code === 'not_found'
      if (!isClosed) throw error
      log.info({}, 'a modal was closed before its answer')
    }
  }
}
