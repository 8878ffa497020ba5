import type { types } from '@slack/bolt'
import { type Block, type Message, textMessage } from '../blocks/blocks.ts'

export interface MessageVariants {
  readonly message: Message
  /** Smaller variants, best first, for workspaces that reject the message. */
  readonly fallbacks?: readonly (() => Message)[]
}

/** Shown to the person who asked. */
export type Answer = MessageVariants

/** A modal is opened; in a modal, it replaces the one that was clicked in. */
export type Reply = Answer | types.ModalView

export const isModal = (reply: Reply | undefined): reply is types.ModalView =>
  reply !== undefined && 'type' in reply

/** Takes escaped mrkdwn. */
export const textAnswer = (mrkdwn: string): Answer => ({ message: textMessage(mrkdwn) })

/** For a handler that returns no reply. */
export const doneAnswer = textAnswer('Done.')

export function mapMessages(answer: MessageVariants, change: (message: Message) => Message): MessageVariants {
  const { message, fallbacks = [] } = answer
  return { message: change(message), fallbacks: fallbacks.map((make) => () => change(make())) }
}

export const appendBlocks = (variants: MessageVariants, more: readonly Block[]): MessageVariants =>
  mapMessages(variants, ({ text, blocks = [] }) => ({ text, blocks: [...blocks, ...more] }))
