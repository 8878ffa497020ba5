import { createHash } from 'node:crypto'
import { attribution, type Block, type Message } from '../blocks/blocks.ts'
import type { MessageForms } from './answer.ts'

/** Adds to each variant of a post who posted it. @param more blocks below that */
export function attributed(
  { message, otherwise = [] }: MessageForms,
  name: string,
  how: 'Posted' | 'Scheduled' = 'Posted',
  more: readonly Block[] = [],
): MessageForms {
  const extend = ({ text, blocks = [] }: Message): Message => ({
    text,
    blocks: [...blocks, attribution(name, how), ...more],
  })
  return { message: extend(message), otherwise: otherwise.map((make) => () => extend(make())) }
}

/** Identifies the content of a post, to notice that it has changed since its preview. */
export const hashMessage = (message: Message): string =>
  createHash('sha256').update(JSON.stringify(message)).digest('hex').slice(0, 16)
