import type { types } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import type { Log } from '../../log.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import type { Milliseconds } from '../../util/units.ts'
import type { Actor, Guards } from '../access/guards.ts'
import type { Installation } from '../access/installations.ts'
import { askSlack, SlackUnavailableError, TokenRefusedError } from '../api/web-api.ts'
import { type Block, type MessageBlock, section } from '../blocks/blocks.ts'
import { messageModalId, modal } from '../blocks/modal.ts'
import type { ViewOrigin } from '../blocks/view-metadata.ts'
import type { Click, Origin } from '../inbound/payloads.ts'
import { type Answer, isModal, type MessageVariants, type Reply, textAnswer } from './answers.ts'
import type { ClickSource, Clicks } from './clicks.ts'
import type { Exchange } from './exchange.ts'

export const messageModal = (mrkdwn: string, { title = 'Callboard' } = {}): types.ModalView =>
  modal({ id: messageModalId, title, blocks: [section(mrkdwn)] })

export const waitingText = 'One moment…'

/** Picks the best variant for a modal: tables and charts only work in messages. */
export function modalBlocks({ message, otherwise = [] }: MessageVariants): Block[] | undefined {
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
  if (!blocks) return messageModal(answer.message.text)
  return modal({ id: messageModalId, origin, title: 'Callboard', blocks })
}

const toModal = (reply: Reply, origin: ViewOrigin): types.ModalView =>
  isModal(reply) ? reply : answerModal(reply, origin)

/** A modal is opened with the `trigger_id`, or replaces the one with `modalId`. */
export type ModalTarget = Pick<Origin, 'team' | 'channel' | 'triggerId' | 'modalId'>

export class Modals {
  readonly #services

  constructor(services: {
    webApi: WebClient
    guards: Pick<Guards, 'installation'>
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

  /** Replaces a waiting modal, which may have been closed. */
  async updateLate(exchange: Exchange, { team, modalId = '' }: ModalTarget, view: types.ModalView) {
    await this.#tryUpdate(await this.#installation(exchange, team), modalId, view)
  }

  async #tryUpdate(installation: Installation, modalId: string, view: types.ModalView): Promise<void> {
    try {
      await this.update(installation, modalId, view)
    } catch (error) {
      if (!(error instanceof SlackUnavailableError || error instanceof TokenRefusedError)) throw error
      this.#services.log.warn({ err: error }, 'a modal was not updated')
    }
  }

  /**
   * Replaces the modal that was clicked in, unless a later click on it was answered. Sends no `hash`: with it, the first
   * of several choices to reach Slack would win.
   */
  async redraw({ team, person, installation }: Actor, click: Click, view: types.ModalView): Promise<void> {
    const modalId = click.view?.id
    if (modalId === undefined) return
    const { actionTs } = click.replyTo
    const source: ClickSource = { team, channel: '', userId: person.id, message: modalId, actionTs }
    const turn = await this.#services.clicks.takeTurn(source)
    try {
      if (turn.isNewest) await this.#tryUpdate(installation, modalId, view)
    } finally {
      turn.end()
    }
  }

  /**
   * Shows a handler's modal. If it takes longer than 0.7 s, opens a waiting modal, which the announcement and then the
   * reply replace. @param replying must not reject @returns an answer to deliver if nothing was opened
   * @throws {SlackUnavailableError | TokenRefusedError}
   */
  async open(
    exchange: Exchange,
    target: ModalTarget,
    replying: Promise<Reply | undefined>,
  ): Promise<Answer | undefined> {
    const { openWithinMs = 700 } = this.#services
    const soon = await withTimeout(replying, openWithinMs)
    if (soon !== timedOut) {
      if (!isModal(soon)) return soon
      await this.show(exchange, target, soon)
      return undefined
    }
    const modalId = await this.show(exchange, target, messageModal(waitingText))
    const opened = { ...target, modalId }
    const progress = await exchange.progressBefore(replying)
    // If this fails, the reply fails alike and reports it.
    if (progress) await this.show(exchange, opened, answerModal(progress, target)).catch(() => {})
    const reply = (await replying) ?? textAnswer('Done.')
    await this.show(exchange, opened, toModal(reply, target))
    return undefined
  }

  /** Shows an answer in the modal that was clicked in, or in a new one. @throws what `open` throws */
  async showAnswer(exchange: Exchange, target: ModalTarget, answer: Answer): Promise<void> {
    await this.show(exchange, target, answerModal(answer, target))
  }

  /** Returns the id of the modal. @throws {SlackUnavailableError | TokenRefusedError} */
  async show(exchange: Exchange, target: ModalTarget, view: types.ModalView): Promise<string> {
    const { team, triggerId = '', modalId } = target
    const installation = await this.#installation(exchange, team)
    if (modalId !== undefined) {
      await this.update(installation, modalId, view)
      return modalId
    }
    const token = installation.botToken
    const opening = this.#services.webApi.views.open({ token, trigger_id: triggerId, view })
    const { view: opened } = await askSlack('views.open', opening)
    if (opened?.id === undefined) throw new SlackUnavailableError('Slack: views.open returned no id')
    return opened.id
  }

  /** The admitted person's installation still updates a modal after the app was uninstalled. */
  async #installation({ actor }: Exchange, team: ModalTarget['team']): Promise<Installation> {
    return actor?.installation ?? this.#services.guards.installation(team)
  }
}
