import type { Tenant } from '../../store/tenant.ts'
import type { Message, MessageBlock } from './blocks.ts'

// A click on an ephemeral message of an organisation-wide installation names no workspace (`"team": null`), so whatever
// can be clicked says by its block's id which one its message belongs to: `@T123|…` or `@T123/E123|…`, 30 characters at most.

const canBeClicked = (block: MessageBlock) =>
  block.type === 'actions' ||
  block.type === 'input' ||
  (block.type === 'section' && block.accessory !== undefined)

/** The message with its workspace in the id of each block that can be clicked. */
export function withTeam(message: Message, { teamId, enterpriseId }: Tenant): Message {
  const team = `@${teamId}${enterpriseId === undefined ? '' : `/${enterpriseId}`}`
  const blocks = message.blocks?.map((block, index) =>
    canBeClicked(block) ? { ...block, block_id: `${team}|${block.block_id ?? index}` } : block,
  )
  return blocks ? { ...message, blocks } : message
}

/** @returns the workspace, where the message says one, and the block's id as its feature wrote it */
export function readTeam(blockId: string): { readonly team: Tenant | undefined; readonly blockId: string } {
  const [prefix, teamId, enterpriseId] = /^@(\w+)(?:\/(\w+))?\|/.exec(blockId) ?? []
  if (prefix === undefined || teamId === undefined) return { team: undefined, blockId }
  return { team: { teamId, enterpriseId }, blockId: blockId.slice(prefix.length) }
}
