import type { Workspace } from '../../store/tenant.ts'
import type { Message, MessageBlock } from './blocks.ts'

// A click on an ephemeral message of an organization-wide installation names no workspace (`"team": null`), so the block
// ids of interactive blocks begin with it: `@T123|…` or `@T123/E123|…`, at most 30 characters.

const isInteractive = (block: MessageBlock) =>
  block.type === 'actions' ||
  block.type === 'input' ||
  (block.type === 'section' && block.accessory !== undefined)

export function withTeam(message: Message, { teamId, enterpriseId }: Workspace): Message {
  if (!message.blocks) return message
  const team = enterpriseId === undefined ? `@${teamId}` : `@${teamId}/${enterpriseId}`
  const blocks: MessageBlock[] = []
  for (const [index, block] of message.blocks.entries()) {
    if (isInteractive(block)) blocks.push({ ...block, block_id: `${team}|${block.block_id ?? index}` })
    else blocks.push(block)
  }
  return { ...message, blocks }
}

/** Returns the workspace, and the block id as the app wrote it. */
export function readTeam(blockId: string) {
  const [prefix, teamId, enterpriseId] = /^@(\w+)(?:\/(\w+))?\|/.exec(blockId) ?? []
  if (prefix === undefined || teamId === undefined) return { workspace: undefined, blockId }
  return { workspace: { teamId, enterpriseId }, blockId: blockId.slice(prefix.length) }
}
