import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Tenant } from '../../store/tenant.ts'
import { LIMITS, type Message, type MessageBlock, plain } from './blocks.ts'

/** A button, menu or view contains something that this app didn't write, or that another version wrote. */
export class ForgedValueError extends Error {
  override readonly name = 'ForgedValueError'

  constructor(what: string, options?: ErrorOptions) {
    super(`not recognized: ${what}`, options)
  }
}

/**
 * Parses JSON that this app wrote into a button, a `block_id` or a view.
 * @param what for the log, without the value
 * @throws {ForgedValueError} if the schema doesn't accept it
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
  // Only workspaces of an organization have one.
  enterpriseId: z.string().optional(),
  channel: z.string(),
})

/** Serializes where a view was opened, for its `private_metadata`: its payload may name another workspace. */
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

// A click on an ephemeral message of an organization-wide installation names no workspace (`"team": null`), so the block
// ids of interactive blocks begin with it: `@T123|…` or `@T123/E123|…`, at most 30 characters.

const isInteractive = (block: MessageBlock) =>
  block.type === 'actions' ||
  block.type === 'input' ||
  (block.type === 'section' && block.accessory !== undefined)

/** Adds the workspace to the ids of interactive blocks. */
export function withTeam(message: Message, { teamId, enterpriseId }: Tenant): Message {
  const team = `@${teamId}${enterpriseId === undefined ? '' : `/${enterpriseId}`}`
  const blocks = message.blocks?.map((block, index) =>
    isInteractive(block) ? { ...block, block_id: `${team}|${block.block_id ?? index}` } : block,
  )
  return blocks ? { ...message, blocks } : message
}

/** Returns the workspace, if the block's id has one, and the id as the feature wrote it. */
export function readTeam(blockId: string): { readonly team: Tenant | undefined; readonly blockId: string } {
  const [prefix, teamId, enterpriseId] = /^@(\w+)(?:\/(\w+))?\|/.exec(blockId) ?? []
  if (prefix === undefined || teamId === undefined) return { team: undefined, blockId }
  return { team: { teamId, enterpriseId }, blockId: blockId.slice(prefix.length) }
}

export const noticeId = 'notice'

interface ModalParts {
  readonly title: string
  readonly submit?: string
  readonly close?: string
  readonly blocks: types.ModalView['blocks']
}

/** Builds a modal with a form, or with text if it has no `submit`. @param view.origin for the actions in it */
export const modal = (
  view: ModalParts & { readonly id: string; readonly origin?: ViewOrigin; readonly metadata?: object },
): types.ModalView => ({
  type: 'modal',
  callback_id: view.id,
  ...(view.origin
    ? { private_metadata: writeOrigin(view.origin.team, view.origin.channel, view.metadata) }
    : {}),
  title: plain(view.title, LIMITS.modalTitle),
  ...(view.submit === undefined ? {} : { submit: plain(view.submit, LIMITS.modalTitle) }),
  close: plain(view.close ?? (view.submit === undefined ? 'Close' : 'Cancel'), LIMITS.modalTitle),
  blocks: view.blocks,
})

/** Builds a modal whose metadata `readMetadata` reads with the same schema. Omits fields that the schema doesn't have. */
export const modalWithMetadata = <Metadata extends object>(
  schema: z.ZodType<Metadata>,
  view: ModalParts & { readonly id: string; readonly origin: ViewOrigin; readonly metadata: Metadata },
): types.ModalView => modal({ ...view, metadata: schema.parse(view.metadata) })
