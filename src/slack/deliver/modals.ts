import type { types } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import type { Log } from '../../log.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import type { Milliseconds } from '../../util/units.ts'
import type { Actor, Guards } from '../access/guards.ts'
import type { Installation } from '../access/installations.ts'
import { askSlack, isSlackFailure, SlackRefusedError, SlackUnavailableError } from '../api/web-api.ts'
import { type Block, type MessageBlock, section } from '../blocks/blocks.ts'
import { messageModalId, modal } from '../blocks/modal.ts'
import type { ViewOrigin } from '../blocks/view-metadata.ts'
import type { Click, Origin } from '../inbound/payloads.ts'
import { type Answer, doneAnswer, isModal, type MessageVariants, type Reply } from './answers.ts'
import { type ClickSource, type Clicks, toModalClick } from './clicks.ts'
import type { Exchange } from './exchange.ts'

export const messageModal = (mrkdwn: string, { title = 'Callboard' } = {}): types.ModalView =>
  modal({ id: messageModalId, title, blocks: [section(mrkdwn)] })

export const waitingText = 'One moment…'

/** Picks the best variant for a modal: tables and charts only work in messages. */
export function modalBlocks({ message, otherwise = [] }: MessageVariants): Block[] | undefined {
  const isAccepted = (block: MessageBlock): block is Block =>
    block.type !== 'data_visualization' && block.type !== 'data_table' && block.type !== 'table'
  for (const make of [() => message, ...otherwise]) {
    const { blocks = [] } = make()
    if (blocks.length > 0 && blocks.every(isAccepted)) return blocks
  }
  return undefined
}

export function answerModal(answer: Answer, origin: ViewOrigin): types.ModalView {
  const blocks = modalBlocks(answer)
  if (!blocks) return messageModal(answer.message.text)
  return modal({ id: messageModalId, origin, title: 'Callboard', blocks })
}

/** https://docs.slack.dev/reference/methods/views.update#errors */
const isClosed = (error: unknown): boolean => error instanceof SlackRefusedError && error.code === 'not_found'

/** A modal replaces the one with `modalId`; without it, the `trigger_id` opens a new one. */
export interface ModalTarget extends Pick<Origin, 'workspace' | 'channel' | 'triggerId' | 'modalId'> {
  /** A click in a modal: of several clicks, the latest one's answer stays. */
  readonly click?: ClickSource
}

export class Modals {
  readonly #services

  constructor(services: {
    webApi: WebClient
    guards: Pick<Guards, 'installation'>
    clicks: Clicks
    log: Pick<Log, 'info' | 'warn'>
    /** A `trigger_id` expires 3 s after the click. */
    openWithinMs?: Milliseconds | undefined
  }) {
    this.#services = services
  }

  async update({ botToken }: Installation, viewId: string, view: types.ModalView): Promise<void> {
    const updating = this.#services.webApi.views.update({ token: botToken, view_id: viewId, view })
    await askSlack('views.update', updating)
  }

  /** Replaces the form that was clicked in. Sends no `hash`: with it, the first of several choices would win. */
  async redraw({ installation }: Actor, click: Click, view: types.ModalView): Promise<void> {
    const { clicks, log } = this.#services
    const { modalId } = click.origin
    if (modalId === undefined) return
    try {
      await clicks.inTurn(toModalClick(click), () => this.update(installation, modalId, view))
    } catch (error) {
      if (!isSlackFailure(error)) throw error
      log.warn({ err: error }, 'a modal was not updated')
    }
  }

  /**
   * Shows a handler's modal. If it takes longer than 0.7 s, opens a waiting modal, which the announcement and then the
   * reply replace. @param replying must not reject @returns an answer to deliver if nothing was opened
   * @throws {SlackFailure}
   */
  async open(
    exchange: Exchange,
    target: ModalTarget,
    replying: Promise<Reply | undefined>,
  ): Promise<Answer | undefined> {
    const { openWithinMs = 700 } = this.#services
    const soon = await withTimeout(replying, openWithinMs)
    if (soon === timedOut) {
      const modalId = await this.show(exchange, target, messageModal(waitingText))
      await this.replaceWaiting(exchange, { ...target, modalId }, replying)
      return undefined
    }
    if (!isModal(soon)) return soon
    await this.show(exchange, target, soon)
    return undefined
  }

  /** Replaces a waiting modal with the announcement, then with the reply. @throws what `open` throws */
  async replaceWaiting(
    exchange: Exchange,
    target: ModalTarget,
    replying: Promise<Reply | undefined>,
  ): Promise<void> {
    const progress = await exchange.progressBefore(replying)
    // If this fails, the reply fails alike and reports it.
    if (progress) await this.show(exchange, target, answerModal(progress, target)).catch(() => {})
    const reply = (await replying) ?? doneAnswer
    await this.show(exchange, target, isModal(reply) ? reply : answerModal(reply, target))
  }

  /**
   * Returns the id of the modal. Someone who closed the modal meanwhile gets no answer.
   * @throws {SlackFailure}
   */
  async show(exchange: Exchange, target: ModalTarget, view: types.ModalView): Promise<string> {
    const { workspace, triggerId = '', modalId, click } = target
    const installation = await this.#installation(exchange, workspace)
    if (modalId === undefined) return this.#open(installation, triggerId, view)
    const replace = () => this.#replace(installation, modalId, view)
    if (click) await this.#services.clicks.inTurn(click, replace)
    else await replace()
    return modalId
  }

  async #open({ botToken }: Installation, triggerId: string, view: types.ModalView): Promise<string> {
    const opening = this.#services.webApi.views.open({ token: botToken, trigger_id: triggerId, view })
    const { view: opened } = await askSlack('views.open', opening)
    if (opened?.id === undefined) throw new SlackUnavailableError('Slack: views.open returned no id')
    return opened.id
  }

  async #replace(installation: Installation, modalId: string, view: types.ModalView): Promise<void> {
    try {
      await this.update(installation, modalId, view)
    } catch (error) {
      if (!isClosed(error)) throw error
      this.#services.log.info({}, 'a modal was closed before its answer')
    }
  }

  /** The admitted person's installation still updates a modal after the app was uninstalled. */
  async #installation({ actor }: Exchange, workspace: ModalTarget['workspace']): Promise<Installation> {
    return actor?.installation ?? this.#services.guards.installation(workspace)
  }
}
