import { z } from 'zod'
import type { Tenant } from '../../store/tenant.ts'
import type { Message, MessageBlock } from './blocks.ts'

/** A button, menu or view whose content is not what this app put there. */
export class ForgedValueError extends Error {
  override readonly name = 'ForgedValueError'

  constructor(what: string, options?: ErrorOptions) {
    super(`not recognized: ${what}`, options)
  }
}

/**
 * The JSON that this app put into a button, a block's id or a view.
 * @param what for the log, without the value
 * @throws {ForgedValueError} for anything that it did not put there
 */
export function readValue<T>(schema: z.ZodType<T>, value: string | undefined, what: string): T {
  try {
    return schema.parse(JSON.parse(value ?? ''))
  } catch (cause) {
    throw new ForgedValueError(what, { cause })
  }
}

const origin = z.object({
  teamId: z.string().min(1),
  // A view of a workspace that is in no organisation has none.
  enterpriseId: z.string().optional(),
  channel: z.string(),
})

/** Where a view was opened, for its `private_metadata`: its payload may name another workspace. */
export const writeOrigin = (team: Tenant, channel: string, more: object = {}): string =>
  JSON.stringify({ teamId: team.teamId, enterpriseId: team.enterpriseId, channel, ...more })

export interface ViewOrigin {
  readonly team: Tenant
  readonly channel: string
}

type WithMetadata = Readonly<Record<'private_metadata', string>>

export function readOrigin(view: WithMetadata): ViewOrigin {
  const { teamId, enterpriseId, channel } = readMetadata(view, origin)
  return { team: { teamId, enterpriseId }, channel }
}

export const readMetadata = <T>(view: WithMetadata, schema: z.ZodType<T>): T =>
  readValue(schema, view.private_metadata, "a view's private_metadata")

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
